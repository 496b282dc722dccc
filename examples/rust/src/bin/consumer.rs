//! Receives a number of messages from an address, opens them and prints their texts. See README.md.

use fe2o3_amqp::link::receiver::CreditMode;
use fe2o3_amqp::types::messaging::{Body, Modified, Source};
use fe2o3_amqp::types::primitives::{Symbol, Value};
use fe2o3_amqp::{Connection, Receiver, Session};
use signet_example::{read_certificates, Identity, Message, Reader, Trust};
use std::error::Error;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

fn variable(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("{name} is not set"))
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    if let Err(error) = consume().await {
        eprintln!("consumer: {error}");
        std::process::exit(1);
    }
}

async fn consume() -> Result<(), Box<dyn Error>> {
    let quality = variable("QUALITY")?;
    let signer = std::env::var("SIGNER").ok();
    if signer.is_none() && quality != "confidentiality" {
        return Err("SIGNER is not set: the subject of the signer, such as CN=broker,O=Example".into());
    }
    let trust = Trust { certs: read_certificates(&variable("CA")?)?, signer, now: 0 };
    let mut reader = Reader { identity: Identity::read(&variable("KEY")?, &variable("CERT")?)?, trust, quality };
    let count: usize = variable("COUNT")?.parse()?;
    let address = variable("ADDRESS")?;
    let connection = Connection::builder().container_id("consumer").alt_tls_establishment(true); // amqps as brokers speak it
    let mut connection = connection.open(variable("BROKER")?.as_str()).await?;
    let mut session = Session::begin(&mut connection).await?;
    let source = Source::builder().address(address.as_str()).capabilities(vec![Symbol::from("queue")]).build();
    let mut receiver = Receiver::builder()
        .name("consumer")
        .source(source)
        .credit_mode(CreditMode::Auto(1))
        .attach(&mut session)
        .await?;
    let mut failed = 0;
    for _ in 0..count {
        let delivery = tokio::time::timeout(Duration::from_secs(60), receiver.recv::<Body<Value>>()).await??;
        reader.trust.now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs().try_into()?;
        match open(&reader, delivery.body(), &address) {
            Ok(message) => {
                println!("{} {:?} {}", message.quality, message.signer, String::from_utf8_lossy(&message.payload));
                receiver.accept(&delivery).await?;
            }
            Err(error) => {
                // the broker delivers it again, and moves it to the dead letters in the end
                eprintln!("consumer: not opened: {error}");
                failed += 1;
                let back =
                    Modified { delivery_failed: Some(true), undeliverable_here: Some(true), message_annotations: None };
                receiver.modify(&delivery, back).await?;
            }
        }
    }
    receiver.close().await?;
    session.end().await?;
    connection.close().await?;
    if failed > 0 {
        return Err(format!("{failed} messages were not opened").into());
    }
    Ok(())
}

fn open(reader: &Reader, body: &Body<Value>, address: &str) -> Result<Message, Box<dyn Error>> {
    let Body::Data(data) = body else {
        return Err("unprotected: the message is in clear".into());
    };
    let bytes: Vec<u8> = data.iter().flat_map(|section| section.0.iter().copied()).collect();
    let message = reader.open(&bytes, address)?;
    match message.header["signet-body"].as_str() {
        "jms/text" => Ok(message),
        other => Err(format!("a body of kind {other:?}, which this program does not print").into()),
    }
}
