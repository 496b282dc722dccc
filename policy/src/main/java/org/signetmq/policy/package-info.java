/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Policies and their values, sets of policies, and the policy of an address. It knows no file: the package {@code file}
 * reads and writes policies.
 */
@NullMarked
package org.signetmq.policy;

import org.jspecify.annotations.NullMarked;
