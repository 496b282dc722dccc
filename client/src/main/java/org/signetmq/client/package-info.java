/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Connection factories that open messages for their consumers, and the exceptions for messages that cannot be opened.
 */
@NullMarked
package org.signetmq.client;

import org.jspecify.annotations.NullMarked;
