/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Opens messages as they arrive, and seals those that leave: keys, policies and addresses, whole messages and large
 * ones. Imports {@code message}, {@code body} and {@code provider}.
 */
@NullMarked
package org.signetmq.client.internal.opening;

import org.jspecify.annotations.NullMarked;
