/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.store;

/**
 * A set of policies that was in force.
 *
 * @param version the version of the set
 * @param origin the origin of the change that made this version
 */
public record FormerPolicies(long version, ChangeOrigin origin) {}
