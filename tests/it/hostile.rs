//! Text written to do harm, in every place where text comes in: neither the screen, the clipboard, the outputs, the log
//! nor a spreadsheet is fooled.

mod outputs;
mod screens;
