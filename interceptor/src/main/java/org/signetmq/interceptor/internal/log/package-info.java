/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The logger of the plugin, and a log of rejections that senders cannot fill. It imports no other package of the
 * module.
 */
@NullMarked
package org.signetmq.interceptor.internal.log;

import org.jspecify.annotations.NullMarked;
