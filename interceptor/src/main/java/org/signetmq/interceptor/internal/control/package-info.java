/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The operations of the plugin's control, and the authority of their callers. It imports the home and the store of the
 * policies.
 */
@NullMarked
package org.signetmq.interceptor.internal.control;

import org.jspecify.annotations.NullMarked;
