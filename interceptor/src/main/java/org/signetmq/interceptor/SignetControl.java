/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.lang.ref.SoftReference;
import java.lang.reflect.Method;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.apache.activemq.artemis.core.server.management.ManagementService;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.backlog.BacklogOperations;
import org.signetmq.interceptor.internal.backlog.KeyOperations;
import org.signetmq.interceptor.internal.backlog.PolicyImpact;
import org.signetmq.interceptor.internal.backlog.QuarantineOperations;
import org.signetmq.interceptor.internal.check.BrokerCheck;
import org.signetmq.interceptor.internal.control.Authority;
import org.signetmq.interceptor.internal.control.Authority.Caller;
import org.signetmq.interceptor.internal.control.ControlAnswers;
import org.signetmq.interceptor.internal.control.ControlAnswers.Scope;
import org.signetmq.interceptor.internal.control.PolicyUploads;
import org.signetmq.interceptor.internal.home.ConfigurationWatcher;
import org.signetmq.interceptor.internal.home.PolicyChanges.ChangeOutcome;
import org.signetmq.interceptor.internal.home.PolicyChanges.PolicyRequest;
import org.signetmq.interceptor.internal.home.PolicyChanges.PolicyRequest.Edit;
import org.signetmq.interceptor.internal.home.PolicyChanges.PolicyRequest.Purpose;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.PolicySet.PolicyExplanation;
import org.signetmq.policy.file.PolicyFile;

/**
 * The plugin's resource in the broker's management. A management message can call every public method of a registered
 * object, so this class has only the methods of its interface. Each one checks the caller's right first: it throws
 * {@link SecurityException} for a caller without the right, and {@link IllegalArgumentException} for arguments that it
 * cannot understand. Thread-safe.
 */
public final class SignetControl implements SignetControlMBean {
    private static final String RESOURCE = "signet";

    /** The largest number of findings in an answer. An answer of the management is one message. */
    private static final int MOST_FINDINGS = 1000;

    /** The longest pattern, address or name in a request, in characters. */
    private static final int LONGEST_NAME = 4096;

    /** The longest policy in a request, in characters. A longer one comes as a part of a whole document. */
    private static final int LONGEST_POLICY = 60_000;

    /** The greatest number of names in an answer. */
    private static final int MOST_NAMES = 200;

    /** The greatest length of all names in an answer, in characters. */
    private static final int LONGEST_NAMES = 30_000;

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final Supplier<PluginStatus> status;
    private final Supplier<Readiness> readiness;
    private final Parts parts;
    private final PolicyUploads uploads = new PolicyUploads(InstantSource.system());
    private final LastText inForce = new LastText();
    private final LastText former = new LastText();
    private final LastText parties = new LastText();

    /**
     * The parts of the plugin that do what the control is asked for.
     *
     * @param authority checks the rights of callers
     * @param policies makes the changes of policies
     * @param backlog works on messages in queues
     * @param impact tells the consequences of changes
     * @param keys tells which keys messages need
     * @param quarantine works on messages in quarantine
     * @param check finds what is wrong with the broker
     */
    record Parts(
            Authority authority,
            ConfigurationWatcher policies,
            BacklogOperations backlog,
            PolicyImpact impact,
            KeyOperations keys,
            QuarantineOperations quarantine,
            BrokerCheck check,
            AuditLog audit) {}

    /** Keeps the last text of policies while there is memory, because a reader asks for it in parts. Thread-safe. */
    private static final class LastText {
        private volatile SoftReference<@Nullable Known> last = new SoftReference<>(null);

        private record Known(Object policies, String text) {}

        String of(Object policies, Supplier<String> format) {
            Known known = last.get();
            if (known == null || !known.policies().equals(policies)) {
                known = new Known(policies, format.get());
                last = new SoftReference<>(known);
            }
            return known.text();
        }
    }

    SignetControl(Supplier<PluginStatus> status, Supplier<Readiness> readiness, Parts parts) {
        this.status = status;
        this.readiness = readiness;
        this.parts = parts;
    }

    /** Returns the parts after a check of the right to see them. */
    private Parts seenParts(String operation) {
        parts.authority().requireView(operation);
        return parts;
    }

    /** Returns the status after a check of the right to see it. */
    private PluginStatus seen(String operation) {
        parts.authority().requireView(operation);
        return status.get();
    }

    /** Returns the state after a check of the right to see it; empty while the plugin is not ready. */
    private Optional<Readiness.Ready> seenReady(String operation) {
        parts.authority().requireView(operation);
        return readiness.get() instanceof Readiness.Ready ready ? Optional.of(ready) : Optional.empty();
    }

    @Override
    public String getVersion() {
        var unused = seenParts("getVersion");
        return version();
    }

    private static String version() {
        @Nullable String version = SignetPlugin.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    @Override
    public String getBroker() {
        return seenParts("getBroker").check().broker();
    }

    @Override
    public String getState() {
        return seen("getState").state().name();
    }

    @Override
    public @Nullable String getReason() {
        return seen("getReason").reason();
    }

    @Override
    public long getPolicyVersion() {
        return seen("getPolicyVersion").policies().version();
    }

    @Override
    public @Nullable String getPolicies() {
        return seenReady("getPolicies")
                .map(ready -> PolicyFile.format(ready.policies()))
                .orElse(null);
    }

    @Override
    public @Nullable String getPolicyProblem() {
        return seen("getPolicyProblem").policies().problem();
    }

    @Override
    public String[][] getPolicyFindings() {
        return seen("getPolicyFindings").policies().findings().stream()
                .limit(MOST_FINDINGS)
                .map(finding -> new String[] {
                    finding.pattern(),
                    finding.problem(),
                    finding.remedy(),
                    finding.weight().name()
                })
                .toArray(String[][]::new);
    }

    @Override
    public @Nullable String getHomeFinding() {
        return seenReady("getHomeFinding")
                .flatMap(ready -> ready.home().names().finding(ready.policies()))
                .orElse(null);
    }

    @Override
    public String getLargeMessages() {
        return seen("getLargeMessages").largeMessages().mode().name();
    }

    @Override
    public @Nullable String getLargeMessagesReason() {
        return seen("getLargeMessagesReason").largeMessages().reason();
    }

    @Override
    public long getSealed() {
        return seen("getSealed").counts().sealed();
    }

    @Override
    public long getPassed() {
        return seen("getPassed").counts().passed();
    }

    @Override
    public long getRejected() {
        return seen("getRejected").counts().rejected();
    }

    @Override
    public long getUnjudged() {
        return seen("getUnjudged").counts().unjudged();
    }

    @Override
    public long getQuarantined() {
        return seenParts("getQuarantined").quarantine().messages();
    }

    @Override
    public long getKeysBegun() {
        return seen("getKeysBegun").counts().keysBegun();
    }

    @Override
    public long getKeyWaits() {
        return seen("getKeyWaits").counts().keyWaits();
    }

    @Override
    public String listPolicies(long version, int offset) {
        ConfigurationWatcher source = seenParts("listPolicies").policies();
        PolicySet policies = policies();
        if (version != 0 && version != policies.version()) {
            return ControlAnswers.of(new ChangeOutcome.Stale(policies.version(), source.origin()), Scope.DOCUMENT)
                    .toString();
        }
        return part(policies.version(), inForce.of(policies, () -> PolicyFile.format(policies)), offset);
    }

    private static String part(long version, String text, int offset) {
        return ControlAnswers.addPart(ControlAnswers.empty().put("version", version), text, offset)
                .toString();
    }

    /** Returns the policies in force, or those that do not fit the broker: an administrator can mend them. */
    private PolicySet policies() {
        if (readiness.get() instanceof Readiness.Ready ready) {
            return ready.policies();
        }
        return parts.policies().policies().orElseThrow(() -> {
            String reason = readiness.get() instanceof Readiness.Unavailable unavailable ? unavailable.reason() : "";
            return new IllegalStateException("Signet: no policies are in force: " + reason);
        });
    }

    @Override
    public String queryPolicy(String address) {
        var unused = seenParts("queryPolicy");
        PolicySet policies = policies();
        PolicyExplanation explanation = policies.explain(named("address", address));
        ObjectNode answer = ControlAnswers.empty().put("address", explanation.address());
        Optional<Policy> policy = explanation.effective().map(EffectivePolicy::policy);
        explanation.effective().ifPresent(effective -> answer.put("policy", effective.reference()));
        policy.ifPresent(found -> answer.put("quality", found.quality().label()));
        answer.put("reason", explanation.reason());
        ArrayNode overruled = answer.putArray("overruled");
        explanation.overruled().forEach(other -> overruled.add(other.pattern()));
        policy.ifPresent(found -> answer.putRawValue("definition", new RawValue(PolicyFile.format(found))));
        if (policy.filter(found -> found.quality().encrypts()).isPresent()
                && !policies.recovery().isEmpty()) {
            ArrayNode recovery = answer.putArray("recovery");
            policies.recovery().forEach(recovery::add);
        }
        return answer.toString();
    }

    private static String named(String what, @Nullable String name) {
        if (name == null || name.isEmpty() || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException(what + ": must have from 1 to " + LONGEST_NAME + " characters");
        }
        return name;
    }

    @Override
    public String getLastChange() {
        ConfigurationWatcher policies = seenParts("getLastChange").policies();
        ObjectNode answer = ControlAnswers.empty().put("version", policies.version());
        policies.store().ifPresent(store -> answer.put("store", store.label()));
        policies.origin().ifPresent(origin -> ControlAnswers.add(answer, origin));
        return answer.toString();
    }

    @Override
    public String listHistory() {
        ConfigurationWatcher policies = seenParts("listHistory").policies();
        ObjectNode answer = ControlAnswers.empty().put("version", policies.version());
        policies.origin().ifPresent(origin -> ControlAnswers.add(answer, origin));
        ArrayNode sets = answer.putArray("former");
        policies.former()
                .forEach(set -> ControlAnswers.add(sets.addObject().put("version", set.version()), set.origin()));
        return answer.toString();
    }

    @Override
    public String listFormerPolicies(long version, int offset) {
        ConfigurationWatcher policies = seenParts("listFormerPolicies").policies();
        return part(version, former.of(version, () -> policies.former(version)), offset);
    }

    @Override
    public String listFindings() {
        return parts.check().answer(version(), seen("listFindings"), readiness.get());
    }

    @Override
    public String listCertificates() {
        return seenParts("listCertificates").check().certificates(readiness.get());
    }

    @Override
    public String listNames(@Nullable String text) {
        Optional<Readiness.Ready> ready = seenReady("listNames");
        if (text == null || text.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("text: must have at most " + LONGEST_NAME + " characters");
        }
        ObjectNode answer = ControlAnswers.empty();
        ArrayNode names = answer.putArray("names");
        int leftOut = 0;
        if (ready.isPresent()) {
            String wanted = text.toLowerCase(Locale.ROOT);
            int length = 0;
            for (Recipient party : ready.get().home().names().files().all()) {
                if (party.name().toLowerCase(Locale.ROOT).contains(wanted)) {
                    length += party.name().length();
                    if (names.size() < MOST_NAMES && length <= LONGEST_NAMES) {
                        names.add(party.name());
                    } else {
                        leftOut++;
                    }
                }
            }
        }
        return answer.put("left-out", leftOut).toString();
    }

    @Override
    public String listParties(int offset) {
        HomeReader home = seenReady("listParties")
                .orElseThrow(() -> new IllegalStateException("Signet: the plugin is not ready"))
                .home()
                .names()
                .files();
        long version = home.version();
        return part(version, parties.of(version, () -> text(home)), offset);
    }

    private static String text(HomeReader home) {
        Map<String, Long> former =
                home.former().stream().collect(Collectors.groupingBy(Recipient::name, Collectors.counting()));
        ArrayNode list = MAPPER.createArrayNode();
        for (Recipient party : home.all()) {
            X509Certificate certificate = party.certificate();
            list.addObject()
                    .put("name", PrintableText.of(party.name(), PrintableText.LONGEST_NAME))
                    .put("source", home.isOfPolicies(party.name()) ? "policies" : "home")
                    .put(
                            "dn",
                            PrintableText.of(
                                    DistinguishedName.shown(certificate.getSubjectX500Principal()),
                                    PrintableText.LONGEST_NAME))
                    .put("key-id", KeyIdentifier.ofKey(certificate).toString())
                    .put("not-after", certificate.getNotAfter().toInstant().toString())
                    .put("former", former.getOrDefault(party.name(), 0L));
        }
        return list.toString();
    }

    @Override
    public String setPolicy(long version, String policy) {
        return changeOne("setPolicy", Purpose.CHANGE, version, set(policy));
    }

    @Override
    public String judgeImpact(long version, String policy) {
        return changeOne("judgeImpact", Purpose.JUDGEMENT, version, set(policy));
    }

    private static Edit set(String policy) {
        return before -> PolicyFile.parsePolicy(fields(policy), before, PartyValidator.acceptAll());
    }

    /** Returns the fields of a JSON object. */
    private static Map<String, Object> fields(String json) {
        if (json.length() > LONGEST_POLICY) {
            throw InvalidPolicyException.of(
                    "$", "longer than " + LONGEST_POLICY + " characters; send a whole document");
        }
        try {
            Map<String, Object> fields = MAPPER.readValue(json, new TypeReference<Map<String, Object>>() {});
            if (fields != null) {
                return fields;
            }
        } catch (JsonProcessingException e) {
            // said below
        }
        throw InvalidPolicyException.of("$", "no JSON object; write {\"pattern\": ..., \"quality\": ...}");
    }

    @Override
    public String removePolicy(long version, String pattern) {
        return changeOne("removePolicy", Purpose.CHANGE, version, remove(pattern));
    }

    @Override
    public String judgeRemoval(long version, String pattern) {
        return changeOne("judgeRemoval", Purpose.JUDGEMENT, version, remove(pattern));
    }

    private static Edit remove(String pattern) {
        return before -> {
            if (before.named(pattern).isEmpty()) {
                throw InvalidPolicyException.of("pattern", "no policy has this pattern");
            }
            return before.without(pattern);
        };
    }

    private String changeOne(String operation, Purpose purpose, long version, Edit edit) {
        Caller caller = parts.authority().require(Authority.Right.EDIT, operation);
        PolicyRequest request = new PolicyRequest(version, purpose, caller.origin(), edit);
        return answer(Scope.POLICY, () -> parts.policies().change(request));
    }

    @Override
    public String beginPolicies(long version) {
        Caller caller = parts.authority().require(Authority.Right.EDIT, "beginPolicies");
        return ControlAnswers.empty()
                .put("upload", uploads.begin(caller.user(), version))
                .toString();
    }

    @Override
    public String addPolicies(String upload, int offset, String part) {
        Caller caller = parts.authority().require(Authority.Right.EDIT, "addPolicies");
        return ControlAnswers.empty()
                .put("upload", upload)
                .put("length", uploads.add(upload, caller.user(), offset, part))
                .toString();
    }

    @Override
    public String judgeImpacts(String upload) {
        return changeAll("judgeImpacts", Purpose.JUDGEMENT, upload, parts.policies()::change);
    }

    @Override
    public String replacePolicies(String upload) {
        return changeAll("replacePolicies", Purpose.CHANGE, upload, parts.policies()::change);
    }

    @Override
    public String restorePolicies(String upload) {
        return changeAll("restorePolicies", Purpose.CHANGE, upload, parts.policies()::restore);
    }

    /** Judges an uploaded document, which stays, or puts it in force, and then the upload ends. */
    private String changeAll(
            String operation, Purpose purpose, String id, Function<PolicyRequest, ChangeOutcome> change) {
        Caller caller = parts.authority().require(Authority.Right.EDIT, operation);
        PolicyUploads.Upload upload = uploads.required(id, caller.user());
        try {
            Edit edit = new PolicyRequest.Document(upload.text().toString());
            PolicyRequest request = new PolicyRequest(upload.version(), purpose, caller.origin(), edit);
            return answer(Scope.DOCUMENT, () -> change.apply(request));
        } finally {
            if (purpose == Purpose.CHANGE) {
                uploads.end(id);
            }
        }
    }

    /** Returns the outcome of a change; that of an accepted judgement with its consequences. */
    private String answer(Scope scope, Supplier<ChangeOutcome> change) {
        try {
            ChangeOutcome outcome = change.get();
            ObjectNode answer = ControlAnswers.of(outcome, scope);
            if (outcome instanceof ChangeOutcome.Accepted accepted && accepted.purpose() == Purpose.JUDGEMENT) {
                parts.impact().addTo(answer, accepted.before(), accepted.now());
            }
            return answer.toString();
        } catch (RuntimeException | StackOverflowError e) {
            String error = e.getClass().getName(); // its text may contain secrets
            PluginLog.LOG.error("unexpected {} while policies were changed", error, e);
            return ControlAnswers.of(
                            new ChangeOutcome.Refused(0, "nothing was changed: internal error " + error), scope)
                    .toString();
        }
    }

    @Override
    public String readImpact(String id, int offset) {
        return parts.impact().readImpact(id, offset);
    }

    @Override
    public String queryKeyUse(String keys) {
        return parts.keys().queryKeyUse(keys);
    }

    @Override
    public String listKeyUse(String query, int offset) throws Exception {
        return parts.keys().listKeyUse(query, offset);
    }

    @Override
    public String listQueues(String address) throws Exception {
        return parts.backlog().listQueues(address);
    }

    @Override
    public String beginBacklog(String queue) throws Exception {
        return parts.backlog().beginBacklog(queue);
    }

    @Override
    public String sealBacklog(String job, int most) throws Exception {
        return parts.backlog().sealBacklog(job, most);
    }

    @Override
    public String judgeBacklog(String job, int most) throws Exception {
        return parts.backlog().judgeBacklog(job, most);
    }

    @Override
    public String listQuarantine(String reason, String address, String queue, int offset) {
        return parts.quarantine().listQuarantine(reason, address, queue, offset);
    }

    @Override
    public String queryQuarantined(long id) throws Exception {
        return parts.quarantine().queryQuarantined(id);
    }

    @Override
    public String exportQuarantined(long id, int offset) throws Exception {
        return parts.quarantine().exportQuarantined(id, offset);
    }

    @Override
    public String retryQuarantined(String ids) throws Exception {
        return parts.quarantine().retryQuarantined(ids);
    }

    @Override
    public String discardQuarantined(String ids) throws Exception {
        return parts.quarantine().discardQuarantined(ids);
    }

    @Override
    public String listAudit(int count) {
        return seenParts("listAudit").audit().tail(count);
    }

    /**
     * Registers a control in the broker's management, and returns what removes it again. Brokers before 2.53 have no
     * call that registers a control of a plugin. For them this uses methods of the broker that later versions removed,
     * by reflection.
     */
    static AutoCloseable register(ManagementService management, SignetControl control) throws Exception {
        ObjectName name = new ObjectName(
                management.getObjectNameBuilder().getActiveMQServerObjectName() + ",component=" + RESOURCE);
        if (hasUntypedControls(management)) {
            management.registerUntypedControl(RESOURCE, control, name);
            return () -> management.unregisterUntypedControl(RESOURCE, name);
        }
        method(management, "registerInJMX", ObjectName.class, Object.class).invoke(management, name, control);
        method(management, "registerInRegistry", String.class, Object.class).invoke(management, RESOURCE, control);
        return () -> {
            method(management, "unregisterFromJMX", ObjectName.class).invoke(management, name);
            method(management, "unregisterFromRegistry", String.class).invoke(management, RESOURCE);
        };
    }

    private static boolean hasUntypedControls(ManagementService management) {
        try {
            method(management, "registerUntypedControl", String.class, Object.class, ObjectName.class);
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    private static Method method(ManagementService management, String name, Class<?>... parameters)
            throws NoSuchMethodException {
        return management.getClass().getMethod(name, parameters);
    }
}
