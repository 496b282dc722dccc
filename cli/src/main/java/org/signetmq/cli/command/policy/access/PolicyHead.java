/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.file.PolicyFile;

/**
 * What stands before the policies in a document.
 *
 * @param settings the rules beside the policies
 * @param isEmpty whether the document has no policies
 */
public record PolicyHead(long version, PolicySet.Settings settings, boolean isEmpty) {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String POLICIES = "policies";

    static PolicyHead of(PolicySet policies) {
        return new PolicyHead(
                policies.version(), policies.settings(), policies.policies().isEmpty());
    }

    /** Returns the treatment of messages to addresses without a policy. */
    public UnmatchedAddress unmatched() {
        return settings.unmatched();
    }

    /** Returns the wildcards of the patterns. */
    public WildcardSyntax wildcards() {
        return settings.wildcards();
    }

    /** Returns the recovery recipients. */
    public List<String> recovery() {
        return settings.recovery();
    }

    /**
     * Reads the head of a document from its first part. Of the policies it reads no more than whether there is one.
     *
     * @throws IOException if the part does not begin like a policy document
     */
    static PolicyHead parse(String beginning) throws IOException {
        ObjectNode head = MAPPER.createObjectNode();
        try (JsonParser parser = MAPPER.createParser(beginning)) {
            boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
            while (isObject && parser.nextToken() == JsonToken.FIELD_NAME) {
                String key = parser.currentName();
                JsonToken value = parser.nextToken();
                if (key.equals(POLICIES) && value == JsonToken.START_ARRAY) {
                    boolean isEmpty = parser.nextToken() == JsonToken.END_ARRAY;
                    head.putArray(POLICIES);
                    PolicySet alone = PolicyFile.parse(head.toString(), PartyValidator.acceptAll());
                    return new PolicyHead(alone.version(), alone.settings(), isEmpty);
                }
                head.set(key, parser.readValueAsTree());
            }
        }
        throw new IOException("not the beginning of a policy document");
    }
}
