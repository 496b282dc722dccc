/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Finds what is wrong in a running broker: its configuration, the state of the plugin and the certificates. It imports
 * the state and the home.
 */
@NullMarked
package org.signetmq.interceptor.internal.check;

import org.jspecify.annotations.NullMarked;
