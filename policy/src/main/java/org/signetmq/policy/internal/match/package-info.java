/* SPDX-License-Identifier: Apache-2.0 */
/** The search for the patterns that match an address. It knows the characters of patterns, and no policy. */
@NullMarked
package org.signetmq.policy.internal.match;

import org.jspecify.annotations.NullMarked;
