/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Message bodies of Core, AMQP, MQTT, STOMP and OpenWire in memory, as the broker holds them. It imports {@code parse}.
 */
@NullMarked
package org.signetmq.interceptor.internal.body;

import org.jspecify.annotations.NullMarked;
