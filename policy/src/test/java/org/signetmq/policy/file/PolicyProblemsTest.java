/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.signetmq.policy.Parties.ALICE_AND_BOB;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.internal.text.DocumentLimits;

/** Checks the messages about documents that cannot work. Apostrophes stand for quotation marks in the documents. */
final class PolicyProblemsTest {
    private static final String CONFIDENTIAL = "'pattern':'a','quality':'confidentiality','recipients':['alice']";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'quality':'integrity' | pattern: missing; name an address or a pattern such as "orders.#"
            'pattern':'a' | quality: missing; write one of none, integrity, privacy, confidentiality, authenticity
            'pattern':' ','quality':'none' | pattern: blank; name an address, or "#" for all
            'pattern':'#.a','quality':'none' | pattern: "#" before the end, found "#.a"; "#" can only be the last character, "*" stands for one word
            'pattern':7,'quality':'none' | pattern: not text, found 7; put text in quotes
            'pattern':null,'quality':'none' | pattern: not text, found null; put text in quotes
            'pattern':'a','quality':'privat','recipients':['bob'] | quality: not one of none, integrity, privacy, confidentiality, authenticity, found "privat"; did you mean "privacy"?
            'pattern':'a','quality':'Privacy','recipients':['bob'] | quality: not one of none, integrity, privacy, confidentiality, authenticity, found "Privacy"; did you mean "privacy"?
            'pattern':'a','quality':'xyzxyzxyz' | quality: not one of none, integrity, privacy, confidentiality, authenticity, found "xyzxyzxyz"
            'pattern':'a','quality':['none'] | quality: not text, found a list; put text in quotes
            'pattern':'a','quality':'privacy' | recipients: none, but privacy encrypts, and no consumer could read; name at least one
            'pattern':'a','quality':'confidentiality','recipients':[] | recipients: none, but confidentiality encrypts, and no consumer could read; name at least one
            'pattern':'a','quality':'integrity','recipients':['bob'] | recipients: integrity does not encrypt: every client can read; remove them, or write "quality": "privacy" or "confidentiality"
            'pattern':'a','quality':'none','recipients':['bob'] | recipients: none does not encrypt: every client can read; remove them, or write "quality": "privacy" or "confidentiality"
            'pattern':'a','quality':'none','signers':['bob'] | signers: none does not sign: no signer is checked; remove them, or write "quality": "integrity", "privacy" or "authenticity"
            CONFIDENTIAL,'signers':['bob'] | signers: confidentiality does not sign: no signer is checked; remove them, or write "quality": "integrity", "privacy" or "authenticity"
            'pattern':'a','quality':'privacy','recipients':['bob'],'key-reuse':32 | key-reuse: privacy takes a fresh key for each message; remove it, or write "quality": "confidentiality"
            'pattern':'a','quality':'integrity','key-reuse':0 | key-reuse: integrity needs no data key; remove it, or write "quality": "confidentiality"
            'pattern':'a','quality':'none','max-key-age':'1h' | max-key-age: none needs no data key; remove it, or write "quality": "confidentiality"
            'pattern':'a','quality':'privacy','recipients':['bob'],'max-bytes-per-key':1 | max-bytes-per-key: privacy takes a fresh key for each message; remove it, or write "quality": "confidentiality"
            'pattern':'a','quality':'privacy','recipients':['bob','mallory'] | recipients[1]: unknown recipient "mallory"
            'pattern':'a','quality':'integrity','signers':['mallory'] | signers[0]: unknown signer "mallory"
            'pattern':'a','quality':'integrity','signers':['bob','bob'] | signers[1]: named before, found "bob"; remove one of them
            'pattern':'a','quality':'integrity','signers':'bob' | signers: not a list, found "bob"; write ["..."]
            'pattern':'a','quality':'integrity','brokers':['mallory'] | brokers[0]: unknown signer "mallory"
            CONFIDENTIAL,'brokers':['bob'] | brokers: confidentiality does not sign: no broker can vouch for a sender; remove them, or write "quality": "integrity", "privacy" or "authenticity"
            'pattern':'a','quality':'none','require':'both' | require: none uses no keys; remove it
            'pattern':'a','quality':'authenticity','recipients':['bob'],'require':'both' | require: authenticity proves the sender by elliptic curves alone; write "quality": "privacy"
            'pattern':'a','quality':'integrity','require':'both' | signers: none, but "require": "both" checks that two keys are those of one signer; name the signers
            CONFIDENTIAL,'require':'all' | require: not one of either, both, found "all"
            CONFIDENTIAL,'audit':'all' | audit: not one of each, found "all"
            CONFIDENTIAL,'accept-legacy':'yes' | accept-legacy: neither true nor false, found "yes"; write it without quotes
            'pattern':'a','quality':'privacy','recipients':'bob' | recipients: not a list, found "bob"; write ["..."]
            'pattern':'a','quality':'privacy','recipients':{'x':1} | recipients: not a list, found an object; write ["..."]
            'pattern':'a','quality':'privacy','recipients':['bob',12] | recipients[1]: not a name, found 12; write a name, a distinguished name or a key identifier
            'pattern':'a','quality':'privacy','recipients':[''] | recipients[0]: not a name, found ""; write a name, a distinguished name or a key identifier
            CONFIDENTIAL,'key-reuse':-1 | key-reuse: no number of messages, found -1; write 0 for a fresh key each, a whole number up to 4294967296, or "unlimited"
            CONFIDENTIAL,'key-reuse':4294967297 | key-reuse: no number of messages, found 4294967297; write 0 for a fresh key each, a whole number up to 4294967296, or "unlimited"
            CONFIDENTIAL,'key-reuse':1.5 | key-reuse: no number of messages, found 1.5; write 0 for a fresh key each, a whole number up to 4294967296, or "unlimited"
            CONFIDENTIAL,'key-reuse':'32' | key-reuse: no number of messages, found "32"; write 0 for a fresh key each, a whole number up to 4294967296, or "unlimited"
            CONFIDENTIAL,'key-reuse':99999999999999999999999999 | key-reuse: no number of messages, found a number of 26 characters; write 0 for a fresh key each, a whole number up to 4294967296, or "unlimited"
            CONFIDENTIAL,'max-bytes-per-key':'1GB' | max-bytes-per-key: no size from 1 byte to 64TiB, found "1GB"; write a number of bytes, or a size such as "512MiB" (B, KiB, MiB, GiB, TiB)
            CONFIDENTIAL,'max-bytes-per-key':0 | max-bytes-per-key: no size from 1 byte to 64TiB, found 0; write a number of bytes, or a size such as "512MiB" (B, KiB, MiB, GiB, TiB)
            CONFIDENTIAL,'max-bytes-per-key':'65TiB' | max-bytes-per-key: no size from 1 byte to 64TiB, found "65TiB"; write a number of bytes, or a size such as "512MiB" (B, KiB, MiB, GiB, TiB)
            CONFIDENTIAL,'max-bytes-per-key':'999999999999999TiB' | max-bytes-per-key: no size from 1 byte to 64TiB, found "999999999999999TiB"; write a number of bytes, or a size such as "512MiB" (B, KiB, MiB, GiB, TiB)
            CONFIDENTIAL,'max-key-age':'1 hour' | max-key-age: no duration above zero and up to 365 days, found "1 hour"; write one such as "90s", "30m", "1h", "7d" or "PT1H30M"
            CONFIDENTIAL,'max-key-age':'PT0S' | max-key-age: no duration above zero and up to 365 days, found "PT0S"; write one such as "90s", "30m", "1h", "7d" or "PT1H30M"
            CONFIDENTIAL,'max-key-age':'-PT1H' | max-key-age: no duration above zero and up to 365 days, found "-PT1H"; write one such as "90s", "30m", "1h", "7d" or "PT1H30M"
            CONFIDENTIAL,'max-key-age':'366d' | max-key-age: no duration above zero and up to 365 days, found "366d"; write one such as "90s", "30m", "1h", "7d" or "PT1H30M"
            CONFIDENTIAL,'max-key-age':3600 | max-key-age: not text, found 3600; put text in quotes
            CONFIDENTIAL,'certificate':'include' | certificate: not one of included, referenced, found "include"; did you mean "included"?
            CONFIDENTIAL,'where':'brokr' | where: not one of broker, client, either, found "brokr"; did you mean "broker"?
            CONFIDENTIAL,'toleration':'tolerate' | toleration: no known toleration, found "tolerate"; write "enforce", or {"until": "2026-12-31T00:00:00Z"} to tolerate until then
            CONFIDENTIAL,'toleration':true | toleration: no known toleration, found true; write "enforce", or {"until": "2026-12-31T00:00:00Z"} to tolerate until then
            CONFIDENTIAL,'toleration':{} | toleration.until: missing; toleration needs an end; write "enforce", or {"until": "2026-12-31T00:00:00Z"} to tolerate until then
            CONFIDENTIAL,'toleration':{'until':'2026-12-31'} | toleration.until: no date with time and zone, found "2026-12-31"; write it as "2026-12-31T00:00:00Z"
            CONFIDENTIAL,'toleration':{'until':'2026-12-31T00:00:00Z','til':1} | toleration.til: unknown key; did you mean "until"?
            'pattern':'a','quality':'integrity','verify':'structure','replay-window':'1h' | replay-window: the broker would remember messages whose signature it does not verify; remove "verify": "structure", or this key
            CONFIDENTIAL,'replay-window':'8d' | replay-window: no duration above zero and up to 7 days, found "8d"; write one such as "90s", "30m", "1h", "7d" or "PT1H30M"
            CONFIDENTIAL,'qualty':'x' | qualty: unknown key; did you mean "quality"?
            CONFIDENTIAL,'keyReuse':1 | keyReuse: unknown key; did you mean "key-reuse"?
            CONFIDENTIAL,'recipient':'x' | recipient: unknown key; did you mean "recipients"?
            CONFIDENTIAL,'a b':'x' | ["a b"]: unknown key; known are pattern, quality, signature-algorithm, encryption-algorithm, signers, brokers, recipients, key-reuse, max-bytes-per-key, max-key-age, certificate, toleration, where, accept-legacy, audit, verify, extra-recipients, bind-user, replay-window, hide, on-failure, quarantine, signature, mutual-trust, require
            """)
    void policyThatCannotWork_isRejectedWithPlaceAndAdvice(String fields, String problem) {
        String policy = fields.replace("CONFIDENTIAL", CONFIDENTIAL);
        String place = problem.startsWith("[") ? "policies[0]" : "policies[0].";

        assertThat(problemsOf("{'schema':1,'version':1,'policies':[{" + policy + "}]}"))
                .containsExactly(place + problem);
    }

    @ParameterizedTest
    @CsvSource({
        "MD5, true",
        "md-5, true",
        "SHA-1, true",
        "SHA1, true",
        "SHA, true",
        "SHA1withRSA, true",
        "SHA-224, true",
        "SHA-256, false",
        "SHA-384, false",
        "SHA3-512, false",
        "whirlpool, false",
        "'', false"
    })
    void signatureAlgorithmThatIsNotOurs_saysWhetherWeak(String name, boolean weak) {
        assertThat(problemsOf("{'schema':1,'version':1,'policies':[{'pattern':'a','quality':'integrity',"
                        + "'signature-algorithm':'" + name + "'}]}"))
                .containsExactly("policies[0].signature-algorithm: "
                        + (weak
                                ? "a weak algorithm, found \"" + name + "\"; use \"SHA-512\" or \"SHA-512-RSA-PSS\""
                                : "not supported, found \"" + name
                                        + "\"; supported is \"SHA-512\" or \"SHA-512-RSA-PSS\""));
    }

    @ParameterizedTest
    @CsvSource({
        "RC2, true",
        "RC4, true",
        "DES, true",
        "3DES, true",
        "DESede, true",
        "Triple-DES, true",
        "AES-128, true",
        "AES128, true",
        "AES-192-GCM, true",
        "AES-128/CBC, true",
        "AES-256-CBC, true",
        "AES/ECB/NoPadding, true",
        "null, true",
        "ChaCha20-Poly1305, false",
        "AES-512, false",
        "camellia, false"
    })
    void encryptionAlgorithmThatIsNotOurs_saysWhetherWeak(String name, boolean weak) {
        assertThat(problemsOf("{'schema':1,'version':1,'policies':[{" + CONFIDENTIAL + ",'encryption-algorithm':'"
                        + name + "'}]}"))
                .containsExactly("policies[0].encryption-algorithm: "
                        + (weak
                                ? "a weak algorithm, found \"" + name + "\"; use \"AES-256\""
                                : "not supported, found \"" + name + "\"; supported is \"AES-256\""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'schema':2,'version':1,'policies':[]} | schema: not 1, found 2; this release reads schema 1 alone
            {'version':1,'policies':[]} | schema: missing; write "schema": 1
            {'schema':1,'policies':[]} | version: missing; write a whole number that grows with each change
            {'schema':1,'version':-1,'policies':[]} | version: not a whole number from 0 to 9223372036854775807, found -1
            {'schema':1,'version':'1','policies':[]} | version: not a whole number from 0 to 9223372036854775807, found "1"
            {'schema':1,'version':1} | policies: missing; write a list of policies, [] for none
            {'schema':1,'version':1,'policies':{}} | policies: not a list, found an object; write [{...}], [] for none
            {'schema':1,'version':1,'policies':[3]} | policies[0]: not a policy, found 3; write {"pattern": ..., "quality": ...}
            {'schema':1,'version':1,'policies':[],'unmatched':'drop'} | unmatched: not one of pass, reject, found "drop"
            {'schema':1,'version':1,'policies':[],'policy':[]} | policy: unknown key; did you mean "policies"?
            [] | $: no object, found a list; write {"schema": 1, ...}
            7 | $: no object, found 7; write {"schema": 1, ...}
            ` ` | $: empty; write {"schema": 1, "version": 1, "policies": []}
            """)
    void documentThatIsNone_isRejectedWithPlaceAndAdvice(String document, String problem) {
        assertThat(problemsOf(document)).containsExactly(problem);
    }

    @Test
    void severalProblems_areAllReported_inTheOrderOfTheDocument() {
        assertThat(problemsOf("""
                        {'version':-4,'policies':[
                          {'pattern':'a','quality':'privacy','key-reuse':4,'encryption-algorithm':'DES'},
                          {'where':'moon','pattern':'b','quality':'integrity'},
                          {'pattern':'a','quality':'privacy','recipients':['mallory','eve']},
                          'x'],
                         'extra':1}"""))
                .extracting(problem -> problem.substring(0, problem.indexOf(':')))
                .containsExactly(
                        "version",
                        "policies[0].key-reuse",
                        "policies[0].encryption-algorithm",
                        "policies[0].recipients",
                        "policies[1].where",
                        "policies[2].pattern",
                        "policies[2].recipients[0]",
                        "policies[2].recipients[1]",
                        "policies[3]",
                        "extra",
                        "schema");
    }

    @Test
    void secondPolicyForAPattern_namesTheFirst() {
        assertThat(problemsOf("{'schema':1,'version':1,'policies':[{'pattern':'a','quality':'none'},"
                        + "{'pattern':'b','quality':'none'},{'pattern':'a','quality':'integrity'}]}"))
                .containsExactly(
                        "policies[2].pattern: a second policy for \"a\", the first is policies[0]; keep one of them");
    }

    @Test
    void brokenJson_isRejectedWithLineAndColumn() {
        assertThat(problemsOf("{'schema':1,\n 'version':,}"))
                .singleElement()
                .asString()
                .startsWith("$: no JSON at line 2, column 12: Unexpected character (','");
        assertThat(problemsOf("{'schema':1,'version':1,'policies':[]} x"))
                .singleElement()
                .asString()
                .startsWith("$: no JSON at line 1, column ")
                .contains("Unrecognized token 'x'");
        assertThat(problemsOf("{'schema':1,'version':1,'policies':[]} {}"))
                .singleElement()
                .asString()
                .startsWith("$: no JSON at line 1, column ");
        assertThat(problemsOf("{'schema':1,\n'schema':1}"))
                .singleElement()
                .asString()
                .startsWith("$: no JSON at line 2, column ")
                .endsWith("Duplicate field 'schema'");
        assertThat(problemsOf("{'schema':1,'policies':["))
                .singleElement()
                .asString()
                .startsWith("$: no JSON at line 1");
        assertThat(problemsOf("[".repeat(100_000))).singleElement().asString().contains("nesting depth");
        assertThat(problemsOf("{'schema':" + "9".repeat(2000) + "}"))
                .singleElement()
                .asString()
                .startsWith("$: no JSON");
    }

    @Test
    void longText_isRejectedUnread() {
        assertThat(problemsOf(" ".repeat(DocumentLimits.LONGEST + 1)))
                .containsExactly("$: longer than 50331648 characters; name fewer policies");
    }

    @Test
    void longAndStrangeText_isShownShortAndOnOneLine() {
        assertThat(problemsOf("{'schema':1,'version':1,'policies':[],'" + "k".repeat(500) + "\\n':1}"))
                .containsExactly(
                        "[\"" + "k".repeat(80)
                                + "...\"]: unknown key; known are schema, version, unmatched, wildcards, recovery, users, certificates, policies");
    }

    private static List<String> problemsOf(String document) {
        InvalidPolicyException rejected = catchThrowableOfType(
                InvalidPolicyException.class, () -> PolicyFile.parse(document.replace('\'', '"'), ALICE_AND_BOB));

        assertThat(rejected)
                .as(document.substring(0, Math.min(200, document.length())))
                .isNotNull();
        return rejected.problems().stream().map(PolicyProblem::toString).toList();
    }
}
