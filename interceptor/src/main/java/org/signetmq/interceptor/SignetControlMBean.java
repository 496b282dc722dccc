/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import org.jspecify.annotations.Nullable;

/** The attributes and operations of the plugin in the broker's management. */
public interface SignetControlMBean {
    /** Returns the version of Signet. */
    String getVersion();

    /**
     * Returns the name and the version of the broker as JSON, for users without rights on other parts of its
     * management.
     */
    String getBroker();

    /**
     * Returns READY, DEGRADED or FAILED. DEGRADED says that some messages are rejected, or that the changed policy file
     * cannot be used.
     */
    String getState();

    /** Returns the reason why the state is not READY, or null. */
    @Nullable
    String getReason();

    /** Returns the version of the policies in force; 0 if there are none. */
    long getPolicyVersion();

    /** Returns the policies in force as the text of a policy file, or null. */
    @Nullable
    String getPolicies();

    /** Returns the reason why the changed policy file cannot be used, or null. */
    @Nullable
    String getPolicyProblem();

    /**
     * Returns the problems of policies in force, at most a thousand, also those that leave the state READY. Each has
     * four texts: the pattern of the policy, the problem, the remedy, and the weight: FAILURE or WARNING.
     */
    String[][] getPolicyFindings();

    /** Returns the number of names in the home that do not stand for one key, and the first of them; or null. */
    @Nullable
    String getHomeFinding();

    /** Returns the treatment of large messages on protected addresses: PROTECTED or REFUSED. */
    String getLargeMessages();

    /** Returns the reason why large messages are REFUSED, or null. */
    @Nullable
    String getLargeMessagesReason();

    /** Returns the number of messages that were sealed since the plugin was made. */
    long getSealed();

    /** Returns the number of messages that passed unchanged. */
    long getPassed();

    /** Returns the number of messages that were rejected. */
    long getRejected();

    /**
     * Returns the number of clear messages that reached the storage before the broker asked the plugin. The last gate
     * sealed or rejected them.
     */
    long getUnjudged();

    /** Returns the number of messages in all quarantines. */
    long getQuarantined();

    /** Returns the number of data keys that messages began to use; with confidentiality fewer than messages. */
    long getKeysBegun();

    /**
     * Returns the number of messages that waited for a new data key because none was made ahead; see
     * {@code key-pregenerator}.
     */
    long getKeyWaits();

    /**
     * Returns a part of the policies in force, as JSON.
     *
     * @param version the version that the caller reads; 0 for the one in force
     * @param offset the place of the part in the text of the policy document, in characters
     */
    String listPolicies(long version, int offset);

    /** Returns the policy that applies to an address and the reason, as JSON. */
    String queryPolicy(String address);

    /** Returns the last version, the place of the policies, and the origin of the last change, as JSON. */
    String getLastChange();

    /**
     * Returns as JSON the version of the policies in force and those of the former ones, the newest first, each with
     * the origin of its change. The broker keeps the last 20 former sets, and fewer if they are long.
     */
    String listHistory();

    /**
     * Returns a part of former policies, as {@link #listPolicies} does of those in force.
     *
     * @param version the version of the former policies
     */
    String listFormerPolicies(long version, int offset);

    /**
     * Checks the broker, and returns what is wrong as JSON: the configuration, the policies, the certificates and the
     * rights. The answer has the versions and the time of the broker.
     */
    String listFindings();

    /**
     * Returns the certificates that messages need now as JSON, at most 200: the broker's own, those of recipients and
     * signers, and those of issuers. The first to end comes first.
     */
    String listCertificates();

    /**
     * Returns the names in {@code recipients/} of the home that contain a text as JSON, at most 200. Policies can name
     * them as recipients, and as signers.
     *
     * @param text a part of the names, in capital or small letters; empty for all
     */
    String listNames(String text);

    /**
     * Returns a part of the parties that policies may name as JSON, as {@link #listPolicies} does of the policies. Each
     * is in {@code recipients/} of the home, or the policies bring it. The version is that of the certificates.
     *
     * @param offset the number of characters before the part
     */
    String listParties(int offset);

    /**
     * Sets a policy in place of the one with the same pattern, and returns the outcome as JSON.
     *
     * @param version the version that the caller saw; another one in force refuses the change
     * @param policy the policy as JSON, as in a policy file
     */
    String setPolicy(long version, String policy);

    /** Removes the policy with this pattern, and returns the outcome as JSON. */
    String removePolicy(long version, String pattern);

    /**
     * Begins the upload of a whole policy document, and returns its identifier as JSON.
     *
     * @param version the version that the caller saw; another one in force refuses the change
     */
    String beginPolicies(long version);

    /**
     * Adds a part to an upload, and returns the length so far as JSON.
     *
     * @param upload the identifier
     * @param offset the length of the earlier parts, in characters
     * @param part at most 30,000 characters
     */
    String addPolicies(String upload, int offset, String part);

    /** Puts an uploaded document in place of all policies, and returns the outcome as JSON. */
    String replacePolicies(String upload);

    /**
     * Puts an uploaded document in place of policies that the broker lost, with a version above theirs, and returns the
     * outcome as JSON. It is refused while policies are in force.
     */
    String restorePolicies(String upload);

    /**
     * Returns the outcome that {@link #setPolicy} would have, with the first part of the consequences: the addresses
     * that the policy touches, their queues, and how many messages lie there in clear or sealed otherwise. It looks at
     * 100,000 messages at most, and changes nothing.
     */
    String judgeImpact(long version, String policy);

    /**
     * Returns the outcome that {@link #removePolicy} would have, with the first part of the consequences as
     * {@link #judgeImpact}, and changes nothing.
     */
    String judgeRemoval(long version, String pattern);

    /**
     * Returns the outcome that {@link #replacePolicies} would have, with the first part of the consequences as
     * {@link #judgeImpact}, and changes nothing.
     */
    String judgeImpacts(String upload);

    /**
     * Returns a further part of the consequences as JSON.
     *
     * @param id the identifier in the answer of the judgement
     * @param offset the place of the part, in characters
     */
    String readImpact(String id, int offset);

    /**
     * Begins a query of all messages of the broker, and returns its identifier as JSON. The query tells which keys the
     * messages need: it reads the names of the keys in envelopes, opens nothing, and changes nothing.
     *
     * @param keys names of keys that are counted by themselves even if there are more than 1000 others; with blanks
     *     between them, and at most 30,000 characters
     */
    String queryKeyUse(String keys);

    /**
     * Reads on for some seconds and tells as JSON how far the query is, or returns a part of its answer after its end.
     * A query ends if no call comes for a minute.
     *
     * @param query the identifier
     * @param offset the place of the part, in characters
     */
    String listKeyUse(String query, int offset) throws Exception;

    /** Returns the queues of an address with the numbers of their messages, as JSON. */
    String listQueues(String address) throws Exception;

    /**
     * Begins a job for the messages that lie in a queue, and returns as JSON its identifier, or why the queue is
     * refused. It ends an earlier job.
     */
    String beginBacklog(String queue) throws Exception;

    /**
     * Seals the next messages of a job that are in clear, and returns their numbers as JSON. It ends after some
     * seconds. With {@code hidden} the queue has messages in clear that it does not show now.
     *
     * @param job the identifier
     * @param most the greatest number of messages to look at; at most 1000
     */
    String sealBacklog(String job, int most) throws Exception;

    /** Returns what {@link #sealBacklog} would do, and changes nothing but the place of the job. */
    String judgeBacklog(String job, int most) throws Exception;

    /**
     * Returns messages in quarantine as JSON, at most 100, and the queues of all quarantines. With {@code next} there
     * are more. All texts of a message are claims of its sender.
     *
     * @param reason the reason of the note; empty for any
     * @param address the address at which the message lay; empty for any
     * @param queue the queue in which the message lay; empty for any
     * @param offset 0, or {@code next} of the answer before
     */
    String listQuarantine(String reason, String address, String queue, int offset);

    /** Returns a message in quarantine as JSON, with its properties and what its envelope shows without a key. */
    String queryQuarantined(long id) throws Exception;

    /**
     * Returns a part of the bytes of a message in quarantine as JSON, in base64. With {@code more} there are more.
     *
     * @param offset the number of bytes before the part
     */
    String exportQuarantined(long id, int offset) throws Exception;

    /**
     * Puts messages back under their original addresses, each into its original queue, as they arrived there. Returns
     * as JSON the identifiers of those that went back, of those that stay with reasons, and of those to name again
     * later.
     *
     * @param ids from 1 to 100 identifiers with blanks between them
     */
    String retryQuarantined(String ids) throws Exception;

    /** Deletes messages in quarantine. Arguments and answer are those of {@link #retryQuarantined}. */
    String discardQuarantined(String ids) throws Exception;

    /**
     * Returns the newest lines of the audit log as JSON, except those about sealed messages.
     *
     * @param count the greatest number of lines; at most 200 are kept
     */
    String listAudit(int count);
}
