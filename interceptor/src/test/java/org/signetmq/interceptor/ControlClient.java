/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.io.IOException;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientRequestor;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.api.core.management.ManagementHelper;
import org.jspecify.annotations.Nullable;

/** An administrator who calls operations of the plugin's control by management messages of Core. */
public final class ControlClient implements AutoCloseable {
    private static final JsonMapper MAPPER = new JsonMapper();

    private final ServerLocator locator;
    private final ClientSessionFactory factory;
    private final ClientSession session;
    private final ClientRequestor requestor;

    /** Thrown if the broker answers with a failure. */
    static final class FailedOperationException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        FailedOperationException(String answer) {
            super(answer);
        }
    }

    ControlClient(String uri, @Nullable String user) throws Exception {
        locator = ActiveMQClient.createServerLocator(uri);
        factory = locator.createSessionFactory();
        session = factory.createSession(user, user == null ? null : "secret", false, true, true, false, 0);
        requestor = new ClientRequestor(session, "activemq.management");
        session.start();
    }

    /** Without a user, for a broker without security. */
    public ControlClient(TestBroker broker) throws Exception {
        this(broker.uri(), null);
    }

    /** Returns the answer as JSON. */
    public JsonNode call(String operation, Object... arguments) throws Exception {
        return MAPPER.readTree(String.valueOf(invoke(operation, arguments)));
    }

    /** Returns the outcome that the answer names. */
    String outcome(String operation, Object... arguments) throws Exception {
        return call(operation, arguments).path("outcome").textValue();
    }

    /** Returns the answer as it is. */
    @Nullable
    Object invoke(String operation, Object... arguments) throws Exception {
        ClientMessage request = session.createMessage(false);
        ManagementHelper.putOperationInvocation(request, "signet", operation, arguments);
        return answer(request);
    }

    /** Calls an operation of the broker itself. */
    @Nullable
    Object server(String operation, Object... arguments) throws Exception {
        ClientMessage request = session.createMessage(false);
        ManagementHelper.putOperationInvocation(request, "broker", operation, arguments);
        return answer(request);
    }

    @Nullable
    Object attribute(String name) throws Exception {
        ClientMessage request = session.createMessage(false);
        ManagementHelper.putAttribute(request, "signet", name);
        return answer(request);
    }

    private @Nullable Object answer(ClientMessage request) throws Exception {
        ClientMessage reply = requestor.request(request, 30_000);
        if (reply == null) {
            throw new IOException("no answer");
        }
        reply.acknowledge(); // the requestor does not
        Object result = ManagementHelper.getResult(reply);
        if (!ManagementHelper.hasOperationSucceeded(reply)) {
            throw new FailedOperationException(String.valueOf(result));
        }
        return result;
    }

    /** Returns the whole document of the policies in force. */
    String policies() throws Exception {
        return document("listPolicies", 0);
    }

    /** Returns a whole document, which the operation gives in parts. */
    String document(String operation, long version) throws Exception {
        StringBuilder text = new StringBuilder();
        JsonNode part;
        do {
            part = call(operation, version, text.length());
            text.append(part.path("text").textValue());
        } while (text.length() < part.path("length").intValue());
        return text.toString();
    }

    /** Puts the document in force with this JSON text, as it is, as one of its fields. */
    JsonNode set(long version, String field, String json) throws Exception {
        ObjectNode document = (ObjectNode) MAPPER.readTree(policies());
        return replace(version, document.putRawValue(field, new RawValue(json)).toString());
    }

    /** Sends a whole document in parts, and puts it in force. */
    JsonNode replace(long version, String document) throws Exception {
        return call("replacePolicies", upload(version, document));
    }

    /** Sends a whole document in parts, and returns the identifier of the upload. */
    String upload(long version, String document) throws Exception {
        String upload = call("beginPolicies", version).path("upload").textValue();
        for (int offset = 0; offset < document.length(); offset += 30_000) {
            call(
                    "addPolicies",
                    upload,
                    offset,
                    document.substring(offset, Math.min(document.length(), offset + 30_000)));
        }
        return upload;
    }

    @Override
    public void close() {
        locator.close(); // with its sessions
    }
}
