/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Opens messages as they arrive: keys, policies, whole messages and large ones. Imports {@code message}, {@code body},
 * {@code address}, {@code provider} and {@code failure}.
 */
@NullMarked
package org.signetmq.client.internal.opening;

import org.jspecify.annotations.NullMarked;
