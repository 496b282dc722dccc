/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The sealing of large messages while the broker writes them to files. It imports the stages, the storage and the
 * protection.
 */
@NullMarked
package org.signetmq.interceptor.internal.large;

import org.jspecify.annotations.NullMarked;
