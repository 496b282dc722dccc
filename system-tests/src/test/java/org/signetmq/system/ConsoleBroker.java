/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Ports;
import org.signetmq.testkit.Run;

/**
 * A published broker with the page on its web server, and users of all kinds.
 *
 * @param broker the broker
 * @param origin the origin of its web server
 */
record ConsoleBroker(BrokerInstance broker, String origin) implements AutoCloseable {
    /** May change policies, and has no right on queues and addresses. */
    static final String ADMINISTRATOR = "anna";

    /** May read policies. */
    static final String VIEWER = "vera";

    /** Has each right on queues and addresses, and none on policies. */
    static final String OWNER_OF_QUEUES = BrokerInstance.USER;

    private static final ObjectMapper JSON = new ObjectMapper();

    static String passwordOf(String user) {
        return user.equals(OWNER_OF_QUEUES) ? BrokerInstance.PASSWORD : user + "-password";
    }

    /** Makes a broker and starts it. The other guards of the broker get what installing says. */
    static ConsoleBroker start(Path folder, String policies) throws Exception {
        Signet signet = Signet.withHomes(folder, "orders", "privacy");
        signet.in("broker-home", "identity", "create", "uma", "--dn", "CN=uma").ok();
        Files.writeString(folder.resolve("broker-home/policies.json"), policies);
        int http = Ports.free();
        BrokerInstance broker = BrokerInstance.create(
                Distribution.ARTEMIS_2_56, folder.resolve("broker"), BrokerInstance.HTTP_PORT, Integer.toString(http));
        Run installed = signet.install(
                        broker, "--console", "--admin-role", "policy-admins", "--viewer-role", "policy-viewers")
                .ok();
        Path etc = broker.folder().resolve("etc");
        append(etc.resolve("artemis-users.properties"), "anna = anna-password\nvera = vera-password\n");
        append(etc.resolve("artemis-roles.properties"), "policy-admins = anna\npolicy-viewers = vera\n");
        replace(etc.resolve("artemis.profile"), "HAWTIO_ROLES='amq'", found(installed, "write (HAWTIO_ROLES='.*')"));
        replace(
                etc.resolve("management.xml"),
                "<role-access>",
                // Signet's own check must do without the guard of JMX
                "<role-access>"
                        + found(installed, "<role-access>: (<match .*</match>)")
                                .replace("roles=\"", "roles=\"" + BrokerInstance.ROLE + ","));
        broker.start();
        ConsoleBroker console = new ConsoleBroker(broker, "http://localhost:" + http);
        await().ignoreExceptions().until(() -> console.get("/signet/").statusCode() == 200);
        return console;
    }

    private static String found(Run installed, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(installed.err());
        if (!matcher.find()) {
            throw new AssertionError("no " + pattern + " in:\n" + installed.err());
        }
        return matcher.group(1);
    }

    private static void append(Path file, String text) throws IOException {
        Files.writeString(file, Files.readString(file) + "\n" + text);
    }

    private static void replace(Path file, String text, String by) throws IOException {
        String before = Files.readString(file);
        if (!before.contains(text)) {
            throw new AssertionError(file + ": no " + text);
        }
        Files.writeString(file, before.replace(text, by));
    }

    String page() {
        return origin + "/signet/";
    }

    HttpResponse<String> get(String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(origin + path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private ObjectNode request(String type) {
        return JSON.createObjectNode()
                .put("type", type)
                .put("mbean", "org.apache.activemq.artemis:broker=\"127.0.0.1\",component=signet");
    }

    /** Reads an attribute by Jolokia. */
    HttpResponse<String> read(@Nullable String user, String attribute) throws Exception {
        return post(user, request("read").put("attribute", attribute));
    }

    /** Calls an operation by Jolokia. */
    HttpResponse<String> call(@Nullable String user, String operation, Object... arguments) throws Exception {
        ObjectNode request = request("exec").put("operation", operation);
        ArrayNode list = request.putArray("arguments");
        Arrays.stream(arguments).map(JSON::<JsonNode>valueToTree).forEach(list::add);
        return post(user, request);
    }

    private HttpResponse<String> post(@Nullable String user, JsonNode request) throws Exception {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(origin + "/console/jolokia"))
                .header("Origin", origin)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(request.toString()));
        if (user != null) {
            String pair = user + ":" + passwordOf(user);
            builder.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
        }
        return HttpClient.newHttpClient().send(builder.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Returns the answer of an operation that the administrator calls. */
    JsonNode answer(String operation, Object... arguments) throws Exception {
        JsonNode reply = JSON.readTree(call(ADMINISTRATOR, operation, arguments).body());
        if (reply.path("status").asInt() != 200) {
            throw new AssertionError(operation + " " + List.of(arguments) + ": " + reply);
        }
        return JSON.readTree(reply.path("value").textValue());
    }

    /** Returns the value of a counter. */
    long count(String counter) throws Exception {
        return JSON.readTree(read(ADMINISTRATOR, counter).body()).path("value").longValue();
    }

    /** Returns the version of the policies in force. */
    long version() throws Exception {
        return answer("listPolicies", 0, 0).path("version").longValue();
    }

    @Override
    public void close() {
        broker.close();
    }
}
