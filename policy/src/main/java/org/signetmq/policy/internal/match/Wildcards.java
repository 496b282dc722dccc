/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.match;

/**
 * The characters of patterns, for a search that does not know policies. The caller checks them.
 *
 * @param delimiter stands between two words
 * @param anyWords stands for any number of words
 * @param singleWord stands for one word, or for one or more characters of a word
 */
public record Wildcards(char delimiter, char anyWords, char singleWord) {}
