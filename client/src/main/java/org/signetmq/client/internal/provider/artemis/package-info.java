/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Handles the Artemis client. Its classes load only where that client is on the class path. Imports {@code provider}
 * only.
 */
@NullMarked
package org.signetmq.client.internal.provider.artemis;

import org.jspecify.annotations.NullMarked;
