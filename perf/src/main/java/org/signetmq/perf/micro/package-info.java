/* SPDX-License-Identifier: Apache-2.0 */
/** Single operations, measured by JMH. */
@NullMarked
package org.signetmq.perf.micro;

import org.jspecify.annotations.NullMarked;
