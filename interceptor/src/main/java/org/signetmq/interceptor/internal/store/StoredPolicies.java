/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.store;

/**
 * A set of policies as the broker stores it.
 *
 * @param version the version of the set
 * @param text the policy document as JSON
 * @param origin the origin of the change that made this version
 */
public record StoredPolicies(long version, String text, ChangeOrigin origin) {}
