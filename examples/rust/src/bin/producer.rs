//! Seals each line of its input and sends it to an address. See README.md.

use fe2o3_amqp::types::messaging::{Data, Header, Message, MessageAnnotations, Target};
use fe2o3_amqp::types::primitives::{Binary, Symbol, Value};
use fe2o3_amqp::{Connection, Sender, Session};
use signet_example::{read_certificates, Identity, Writer};
use std::error::Error;

fn variable(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("{name} is not set"))
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    if let Err(error) = produce().await {
        eprintln!("producer: {error}");
        std::process::exit(1);
    }
}

async fn produce() -> Result<(), Box<dyn Error>> {
    let identity = Identity::read(&variable("KEY")?, &variable("CERT")?)?;
    let quality = variable("QUALITY")?;
    let recipients = if quality == "integrity" { Vec::new() } else { read_certificates(&variable("RECIPIENTS")?)? };
    let writer = Writer { identity, recipients, quality };
    let address = variable("ADDRESS")?;
    let connection = Connection::builder().container_id("producer").alt_tls_establishment(true); // amqps as brokers speak it
    let mut connection = connection.open(variable("BROKER")?.as_str()).await?;
    let mut session = Session::begin(&mut connection).await?;
    let target = Target::builder().address(address.as_str()).capabilities(vec![Symbol::from("queue")]).build();
    let mut sender = Sender::builder().name("producer").target(target).attach(&mut session).await?;
    for line in std::io::stdin().lines() {
        let body = writer.seal(&address, "jms/text", "text/plain; charset=utf-8", line?.as_bytes())?;
        let kind = MessageAnnotations::builder().insert("x-opt-jms-msg-type", Value::Byte(3)).build(); // bytes, for JMS
        let message = Message::builder()
            .header(Header { durable: true, ..Default::default() })
            .message_annotations(kind)
            .body(Data(Binary::from(body)))
            .build();
        let outcome = sender.send(message).await?;
        outcome.accepted_or_else(|other| format!("the broker refused: {other:?}"))?;
        // such as by a policy
    }
    sender.close().await?;
    session.end().await?;
    connection.close().await?;
    Ok(())
}
