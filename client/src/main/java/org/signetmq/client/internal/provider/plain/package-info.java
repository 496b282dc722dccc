/* SPDX-License-Identifier: Apache-2.0 */
/** Handles every client library that has no package of its own here. Imports {@code provider} only. */
@NullMarked
package org.signetmq.client.internal.provider.plain;

import org.jspecify.annotations.NullMarked;
