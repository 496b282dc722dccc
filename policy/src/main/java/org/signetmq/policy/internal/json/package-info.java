/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The readers of a policy document, which collect its problems, and its writer. The package {@code file} is their door.
 */
@NullMarked
package org.signetmq.policy.internal.json;

import org.jspecify.annotations.NullMarked;
