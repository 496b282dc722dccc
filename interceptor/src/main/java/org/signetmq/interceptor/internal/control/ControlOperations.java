/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.control;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.lang.ref.SoftReference;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.control.ControlAnswers.Scope;
import org.signetmq.interceptor.internal.home.ChangeOutcome;
import org.signetmq.interceptor.internal.home.ConfigurationWatcher;
import org.signetmq.interceptor.internal.home.PolicyRequest;
import org.signetmq.interceptor.internal.home.PolicyRequest.Edit;
import org.signetmq.interceptor.internal.home.PolicyRequest.Purpose;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.keystore.Recipient;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyExplanation;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.file.PolicyEdit;
import org.signetmq.policy.file.PolicyFile;

/**
 * Answers the operations of the control by JSON, after a check of the caller's right. Each method throws
 * {@link SecurityException} for a caller without the right, and {@link IllegalArgumentException} for arguments that it
 * cannot understand. Thread-safe.
 */
public final class ControlOperations {
    /** The longest pattern, address or name in a request, in characters. */
    private static final int LONGEST_NAME = 4096;

    /** The greatest number of names in an answer. */
    private static final int MOST_NAMES = 200;

    /** The greatest length of all names in an answer, in characters. */
    private static final int LONGEST_NAMES = 30_000;

    private static final PolicyConsequences NONE = (answer, before, after) -> {};

    private final Authority authority;
    private final ConfigurationWatcher configuration;
    private final Supplier<Readiness> readiness;
    private final PolicyUploads uploads = new PolicyUploads(InstantSource.system());
    private final PolicyConsequences consequences;
    private final LastText inForce = new LastText();
    private final LastText former = new LastText();

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

    /**
     * Makes the operations of a plugin.
     *
     * @param configuration makes the changes
     * @param readiness returns the state of the plugin
     * @param consequences tells those of a change that is judged
     */
    public ControlOperations(
            Authority authority,
            ConfigurationWatcher configuration,
            Supplier<Readiness> readiness,
            PolicyConsequences consequences) {
        this.authority = authority;
        this.configuration = configuration;
        this.readiness = readiness;
        this.consequences = consequences;
    }

    /** Checks that the caller may read. */
    public void requireView(String operation) {
        authority.requireView(operation);
    }

    /** Returns a part of the policies in force. */
    public String listPolicies(long version, int offset) {
        requireView("listPolicies");
        PolicySet policies = policies();
        if (version != 0 && version != policies.version()) {
            return ControlAnswers.of(
                            new ChangeOutcome.Stale(policies.version(), configuration.origin()), Scope.DOCUMENT)
                    .toString();
        }
        return part(policies.version(), inForce.of(policies, () -> PolicyFile.format(policies)), offset);
    }

    private static String part(long version, String text, int offset) {
        return ControlAnswers.addPart(ControlAnswers.empty().put("version", version), text, offset)
                .toString();
    }

    /** Returns the policy of an address, and the reason. */
    public String queryPolicy(String address) {
        requireView("queryPolicy");
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

    /** Returns the versions of the policies in force and of the former ones, the newest first, each with its origin. */
    public String listHistory() {
        requireView("listHistory");
        ObjectNode answer = ControlAnswers.empty().put("version", configuration.version());
        configuration.origin().ifPresent(origin -> ControlAnswers.add(answer, origin));
        ArrayNode sets = answer.putArray("former");
        configuration
                .former()
                .forEach(set -> ControlAnswers.add(sets.addObject().put("version", set.version()), set.origin()));
        return answer.toString();
    }

    /** Returns a part of the former policies with this version. */
    public String listFormerPolicies(long version, int offset) {
        requireView("listFormerPolicies");
        return part(version, former.of(version, () -> configuration.former(version)), offset);
    }

    /** Puts the former policies with a version in place of those in force, as their next version. */
    public String rollbackPolicies(long version, long former) {
        return answer(request("rollbackPolicies", Purpose.CHANGE, version, to(former)), Scope.DOCUMENT);
    }

    /** Judges the change that {@link #rollbackPolicies} would make, and adds its consequences to the answer. */
    public String judgeRollback(long version, long former) {
        return answer(request("judgeRollback", Purpose.JUDGEMENT, version, to(former)), Scope.DOCUMENT, consequences);
    }

    private Edit to(long wanted) {
        return before -> {
            try {
                return PolicyFile.parse(configuration.former(wanted), PartyValidator.acceptAll());
            } catch (IllegalArgumentException | IllegalStateException e) {
                throw InvalidPolicyException.of("version", String.valueOf(e.getMessage()));
            }
        };
    }

    /** Returns the last version, the place of the policies, and the origin of the last change. */
    public String lastChange() {
        requireView("getLastChange");
        ObjectNode answer = ControlAnswers.empty().put("version", configuration.version());
        configuration.store().ifPresent(store -> answer.put("store", store.label()));
        configuration.origin().ifPresent(origin -> ControlAnswers.add(answer, origin));
        return answer.toString();
    }

    /** Sets a policy in place of the one with the same pattern. */
    public String setPolicy(long version, String policy) {
        return answer(
                request("setPolicy", Purpose.CHANGE, version, set(policy)),
                Scope.POLICY,
                (answer, before, now) -> addReplaced(answer, policy, before));
    }

    /** Adds the former policy that a policy replaces. */
    private static void addReplaced(ObjectNode answer, String policy, PolicySet before) {
        before.named(String.valueOf(PolicyReading.fields(policy).get("pattern")))
                .ifPresent(former -> answer.putRawValue("replaced", new RawValue(PolicyFile.format(former))));
    }

    /** Judges the change that {@link #setPolicy} would make. */
    public String judgePolicy(long version, String policy) {
        return answer(request("judgePolicy", Purpose.JUDGEMENT, version, set(policy)), Scope.POLICY);
    }

    /** Judges as {@link #judgePolicy} does, and adds the consequences to the answer. */
    public String judgeImpact(long version, String policy) {
        return answer(
                request("judgeImpact", Purpose.JUDGEMENT, version, set(policy)),
                Scope.POLICY,
                (answer, before, now) -> {
                    addReplaced(answer, policy, before);
                    consequences.addTo(answer, before, now);
                });
    }

    private static Edit set(String policy) {
        return policies -> PolicyFile.parsePolicy(PolicyReading.fields(policy), policies, PartyValidator.acceptAll());
    }

    /** Removes the policy with this pattern. */
    public String removePolicy(long version, String pattern) {
        return change("removePolicy", version, remove(pattern));
    }

    /** Judges the change that {@link #removePolicy} would make, and adds the consequences to the answer. */
    public String judgeRemoval(long version, String pattern) {
        return answer(request("judgeRemoval", Purpose.JUDGEMENT, version, remove(pattern)), Scope.POLICY, consequences);
    }

    private static Edit remove(String pattern) {
        return policies -> {
            if (policies.named(pattern).isEmpty()) {
                throw InvalidPolicyException.of("pattern", "no policy has this pattern");
            }
            return policies.without(pattern);
        };
    }

    /** Adds a recipient to the policy with this pattern. */
    public String addRecipient(long version, String pattern, String name) {
        return change("addRecipient", version, by(PolicyEdit.addRecipient(pattern, name)));
    }

    /** Removes a recipient from the policy with this pattern. */
    public String removeRecipient(long version, String pattern, String name) {
        return change("removeRecipient", version, by(PolicyEdit.removeRecipient(pattern, name)));
    }

    /** Adds a signer to the policy with this pattern. */
    public String addSigner(long version, String pattern, String name) {
        return change("addSigner", version, by(PolicyEdit.addSigner(pattern, name)));
    }

    /** Removes a signer from the policy with this pattern. */
    public String removeSigner(long version, String pattern, String name) {
        return change("removeSigner", version, by(PolicyEdit.removeSigner(pattern, name)));
    }

    private static Edit by(PolicyEdit edit) {
        return policies -> edit.applyTo(policies, PartyValidator.acceptAll());
    }

    /** Sets the treatment of messages to addresses without a policy. */
    public String setUnmatched(long version, String rule) {
        return change("setUnmatched", version, policies -> {
            UnmatchedAddress wanted = PolicyReading.rule(rule);
            return policies.with(wanted);
        });
    }

    /** Sets the wildcards of the patterns. */
    public String setWildcards(long version, String wildcards) {
        return change("setWildcards", version, policies -> {
            WildcardSyntax wanted = PolicyReading.wildcards(wildcards);
            return policies.with(wanted);
        });
    }

    /** Sets the recovery recipients of all policies that encrypt. */
    public String setRecovery(long version, String names) {
        return change("setRecovery", version, policies -> policies.withRecovery(PolicyReading.names(names)));
    }

    private String change(String operation, long version, Edit edit) {
        return answer(request(operation, Purpose.CHANGE, version, edit), Scope.POLICY);
    }

    private PolicyRequest request(String operation, Purpose purpose, long version, Edit edit) {
        Caller caller = authority.require(Authority.Right.EDIT, operation);
        return new PolicyRequest(version, purpose, caller.origin(), edit);
    }

    /** Begins the upload of a whole document. */
    public String beginPolicies(long version) {
        Caller caller = authority.require(Authority.Right.EDIT, "beginPolicies");
        return ControlAnswers.empty()
                .put("upload", uploads.begin(caller.user(), version))
                .toString();
    }

    /** Adds a part to an upload. */
    public String addPolicies(String upload, int offset, String part) {
        Caller caller = authority.require(Authority.Right.EDIT, "addPolicies");
        return ControlAnswers.empty()
                .put("upload", upload)
                .put("length", uploads.add(upload, caller.user(), offset, part))
                .toString();
    }

    /** Puts an uploaded document in place of the policies in force. The upload ends. */
    public String replacePolicies(String upload) {
        Caller caller = authority.require(Authority.Right.EDIT, "replacePolicies");
        PolicyUploads.Upload whole = uploads.required(upload, caller.user());
        try {
            return judge(whole, Purpose.CHANGE, caller);
        } finally {
            uploads.end(upload);
        }
    }

    /** Puts an uploaded document in place of lost policies. The upload ends. */
    public String restorePolicies(String upload) {
        Caller caller = authority.require(Authority.Right.EDIT, "restorePolicies");
        PolicyUploads.Upload whole = uploads.required(upload, caller.user());
        try {
            return answer(() -> configuration.restore(request(whole, Purpose.CHANGE, caller)), Scope.DOCUMENT, NONE);
        } finally {
            uploads.end(upload);
        }
    }

    /** Judges an uploaded document. The upload stays. */
    public String judgePolicies(String upload) {
        Caller caller = authority.require(Authority.Right.EDIT, "judgePolicies");
        return judge(uploads.required(upload, caller.user()), Purpose.JUDGEMENT, caller);
    }

    private String judge(PolicyUploads.Upload upload, Purpose purpose, Caller caller) {
        return answer(request(upload, purpose, caller), Scope.DOCUMENT);
    }

    private static PolicyRequest request(PolicyUploads.Upload upload, Purpose purpose, Caller caller) {
        String document = upload.text().toString();
        Edit edit = before -> PolicyFile.parse(document, PartyValidator.acceptAll());
        return new PolicyRequest(upload.version(), purpose, caller.origin(), edit);
    }

    /** Judges as {@link #judgePolicies} does, and adds the consequences to the answer. */
    public String judgeImpacts(String upload) {
        Caller caller = authority.require(Authority.Right.EDIT, "judgeImpacts");
        PolicyUploads.Upload whole = uploads.required(upload, caller.user());
        return answer(request(whole, Purpose.JUDGEMENT, caller), Scope.DOCUMENT, consequences);
    }

    private String answer(PolicyRequest request, Scope scope) {
        return answer(request, scope, NONE);
    }

    private String answer(PolicyRequest request, Scope scope, PolicyConsequences added) {
        return answer(() -> configuration.change(request), scope, added);
    }

    private static String answer(Supplier<ChangeOutcome> change, Scope scope, PolicyConsequences added) {
        try {
            ChangeOutcome outcome = change.get();
            ObjectNode answer = ControlAnswers.of(outcome, scope);
            if (outcome instanceof ChangeOutcome.Accepted accepted) {
                added.addTo(answer, accepted.before(), accepted.now());
            }
            return answer.toString();
        } catch (RuntimeException | StackOverflowError e) {
            // its text may contain secrets
            PluginLog.LOG.error(
                    "unexpected {} while policies were changed", e.getClass().getName(), e);
            return ControlAnswers.of(
                            new ChangeOutcome.Refused(
                                    0,
                                    "nothing was changed: internal error "
                                            + e.getClass().getName()),
                            scope)
                    .toString();
        }
    }

    /** Returns the names in {@code recipients/} that contain a text, as many as an answer takes. */
    public String listNames(@Nullable String text) {
        requireView("listNames");
        if (text == null || text.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("text: must have at most " + LONGEST_NAME + " characters");
        }
        ObjectNode answer = ControlAnswers.empty();
        ArrayNode names = answer.putArray("names");
        int leftOut = 0;
        if (readiness.get() instanceof Readiness.Ready ready) {
            String wanted = text.toLowerCase(Locale.ROOT);
            int length = 0;
            for (Recipient party : ready.home().names().certificates().all()) {
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

    /** Returns the policies in force, or those that do not fit the broker: an administrator can mend them. */
    private PolicySet policies() {
        if (readiness.get() instanceof Readiness.Ready ready) {
            return ready.policies();
        }
        return configuration.policies().orElseThrow(() -> {
            String reason = readiness.get() instanceof Readiness.Unavailable unavailable ? unavailable.reason() : "";
            return new IllegalStateException("Signet: no policies are in force: " + reason);
        });
    }

    private static String named(String what, @Nullable String name) {
        if (name == null || name.isEmpty() || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException(what + ": must have from 1 to " + LONGEST_NAME + " characters");
        }
        return name;
    }
}
