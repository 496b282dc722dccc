/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The sealing of large messages while the broker writes them to files, by stages that read a body piece by piece. It
 * imports the storage and the protection.
 */
@NullMarked
package org.signetmq.interceptor.internal.large;

import org.jspecify.annotations.NullMarked;
