//! Commands that change the same data at the same time.

use std::process::{Child, Output};

use serde_json::json;

use super::server::{Server, Shell};
use super::world;

fn outputs(children: Vec<Child>) -> Vec<Output> {
    children.into_iter().map(|child| child.wait_with_output().unwrap()).collect()
}

#[test]
fn fields_of_a_lot_edited_by_several_commands_at_once_are_all_saved() {
    let server = Server::start(world::answer);
    let shell = Shell::on(&server);
    shell.run("wallet add 1 ordi @ 3").ok();
    let edits = ["--note n", "--fee 3", "--price 7", "--amount 9"];
    let all = outputs(edits.map(|edit| shell.command(&format!("wallet edit 1 {edit}")).spawn().unwrap()).into());
    assert!(all.iter().all(|output| output.status.success()), "{all:?}");
    let lot = shell.run("wallet").ok().json()["data"]["lots"][0].clone();
    let fields = ["note", "fee", "unit_price", "amount"].map(|name| lot[name].clone());
    assert_eq!(fields, [json!("n"), json!("3"), json!("7"), json!("9")]);
}
