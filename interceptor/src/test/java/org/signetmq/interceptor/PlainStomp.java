/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.signetmq.testkit.Stomp;

/** A STOMP 1.2 client: sends frames of each kind, and tells all of those it gets. */
final class PlainStomp {
    private PlainStomp() {}

    static int send(TestBroker broker, String address, int length) throws IOException {
        byte[] body = LargeBodies.text(length).getBytes(StandardCharsets.UTF_8);
        String bytes = "\ncontent-length:" + body.length;
        try (Stomp client = Producers.stomp(broker)) {
            String send = "SEND\ndestination:" + address
                    + "\npersistent:true\npriority:7\nexpires:4000000000000\ncorrelation-id:a correlation\ntype:a type"
                    + "\nreply-to:replies\nsignet_signer:written by a producer\nstring:tschüß, κόσμε\\cx";
            client.write(send + bytes + "\nreceipt:1", body);
            client.next("RECEIPT");
            client.write(send + "\nreceipt:2", body);
            client.next("RECEIPT");
            client.write("SEND\ndestination:" + address + bytes, body);
            client.write("BEGIN\ntransaction:t", new byte[0]);
            client.write(send + bytes + "\ntransaction:t", body);
            client.write("SEND\ndestination:" + address + "\ntransaction:t\nsecond:in the transaction", body);
            client.write("COMMIT\ntransaction:t\nreceipt:3", new byte[0]);
            client.next("RECEIPT");
            return 5;
        }
    }

    static List<String> receive(TestBroker broker, String address, String queue, long count) throws IOException {
        List<String> told = new ArrayList<>();
        try (Stomp client = Producers.stomp(broker)) {
            client.write("SUBSCRIBE\nid:s\nack:auto\ndestination:" + address + "\\c\\c" + queue, new byte[0]);
            for (long i = 0; i < count; i++) {
                Stomp.Frame frame = client.next("MESSAGE");
                Told one = new Told().with("body", frame.body());
                frame.headers().forEach(one::with);
                one.with("message-id", null);
                told.add(one.toString());
            }
        }
        return told;
    }
}
