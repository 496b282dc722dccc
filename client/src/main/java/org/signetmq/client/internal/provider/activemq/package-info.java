/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Handles the ActiveMQ client. Its classes load only where that client is on the class path. Imports {@code provider}
 * only.
 */
@NullMarked
package org.signetmq.client.internal.provider.activemq;

import org.jspecify.annotations.NullMarked;
