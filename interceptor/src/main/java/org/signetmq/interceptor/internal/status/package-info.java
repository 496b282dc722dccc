/* SPDX-License-Identifier: Apache-2.0 */
/** The counters, the meters, and the state that an administrator sees. It imports the home. */
@NullMarked
package org.signetmq.interceptor.internal.status;

import org.jspecify.annotations.NullMarked;
