/* SPDX-License-Identifier: Apache-2.0 */
/** The keys and the limits of a policy document, and text for messages. It imports no other package. */
@NullMarked
package org.signetmq.policy.internal.text;

import org.jspecify.annotations.NullMarked;
