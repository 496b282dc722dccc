/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle.document;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Json;
import org.signetmq.policy.file.PolicyFile;

/** Writes the document of a bundle, which a signature then covers. */
public final class BundleWriter {
    static final String VERSION_KEY = "signet-bundle";
    static final int VERSION = 1;

    private BundleWriter() {}

    /** Returns the document in UTF-8. */
    public static byte[] bytes(Bundle bundle) {
        ObjectNode json = Json.object()
                .put(VERSION_KEY, VERSION)
                .put("id", bundle.id())
                .put("created", bundle.created().toString())
                .put("not-after", bundle.notAfter().toString());
        Bundle.Consumer recipient = bundle.recipient();
        if (recipient != null) {
            json.putObject("recipient").put("name", recipient.name()).put("key-id", recipient.keyId());
        }
        ArrayNode addresses = json.putArray("addresses");
        bundle.addresses().forEach(addresses::add);
        json.set("policies", Json.parse(PolicyFile.format(bundle.policies())));
        for (HomeFolder folder : HomeFolder.values()) {
            ArrayNode files = json.putArray(folder.key());
            bundle.entries().stream().filter(entry -> entry.folder() == folder).forEach(entry -> {
                ArrayNode content = files.addObject().put("name", entry.name()).putArray("content");
                entry.encoded().forEach(content::add);
            });
        }
        byte[] bytes = json.toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length > BundleLimits.FILE - 65_536) { // the signature and its certificates come around it
            throw CliException.failure("bundle: longer than " + BundleLimits.FILE + " bytes; name fewer addresses");
        }
        return bytes;
    }
}
