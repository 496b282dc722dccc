/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import org.signetmq.policy.PolicySet;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.WildcardSyntax;

/**
 * Reads the policies of IBM MQ Advanced Message Security from text, and writes policies in its form. It understands
 * {@code setmqspl} lines as {@code dspmqspl -export} writes them, {@code SET POLICY} of MQSC, and the output of
 * {@code DISPLAY POLICY}, each in any number and mixture.
 */
public final class MqPolicies {
    private MqPolicies() {}

    /**
     * Reads policies. The quality follows from the algorithms, as in MQ: a signature makes integrity, both make
     * privacy, encryption alone makes confidentiality. Weaker algorithms that Signet can replace become SHA-512 and
     * AES-256. MD5, RC2, DES and 3DES are refused. Names of queues become addresses, distinguished names become
     * recipients and signers. Nothing in the text makes it throw.
     *
     * @param text the text, at most {@value org.signetmq.policy.file.PolicyFile#LONGEST} characters
     * @param wildcards the wildcards of the set that the policies are meant for; no queue's name may contain one
     * @param toleration the toleration of policies that tolerate messages in clear, which MQ does without an end; with
     *     {@link Toleration#ENFORCE} such policies tolerate none
     */
    public static MqImport read(String text, WildcardSyntax wildcards, Toleration toleration) {
        return new MqReader(new MqMapping(wildcards, toleration)).read(text);
    }

    /**
     * Writes {@code setmqspl} lines for the policies that MQ can express, and a comment with the reason for each other
     * one. {@link #read} returns the policies of the lines as they are, except that distinguished names have no spaces
     * around commas.
     *
     * @param queueManager the queue manager of the lines
     * @throws IllegalArgumentException if the queue manager's name cannot be one
     */
    public static MqExport export(PolicySet policies, String queueManager) {
        return MqWriter.write(policies, queueManager);
    }
}
