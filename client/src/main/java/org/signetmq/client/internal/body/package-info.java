/* SPDX-License-Identifier: Apache-2.0 */
/** Decodes payloads of Core and AMQP messages into values, within limits. Imports {@code provider} only. */
@NullMarked
package org.signetmq.client.internal.body;

import org.jspecify.annotations.NullMarked;
