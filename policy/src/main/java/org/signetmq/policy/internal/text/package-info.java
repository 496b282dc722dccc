/* SPDX-License-Identifier: Apache-2.0 */
/** The keys and the limits of a policy document. It imports {@code text} alone. */
@NullMarked
package org.signetmq.policy.internal.text;

import org.jspecify.annotations.NullMarked;
