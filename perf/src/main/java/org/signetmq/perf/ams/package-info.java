/* SPDX-License-Identifier: Apache-2.0 */
/** Messages in the manner of IBM MQ Advanced Message Security. */
@NullMarked
package org.signetmq.perf.ams;

import org.jspecify.annotations.NullMarked;
