/* SPDX-License-Identifier: Apache-2.0 */
/** Reads the policies of IBM MQ Advanced Message Security. It works on text alone. */
@NullMarked
package org.signetmq.policy.mq;

import org.jspecify.annotations.NullMarked;
