/* SPDX-License-Identifier: Apache-2.0 */
/** Decodes payloads of Core and AMQP messages within limits, and encodes bodies. Imports {@code provider} only. */
@NullMarked
package org.signetmq.client.internal.body;

import org.jspecify.annotations.NullMarked;
