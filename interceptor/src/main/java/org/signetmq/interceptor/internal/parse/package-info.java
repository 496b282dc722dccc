/* SPDX-License-Identifier: Apache-2.0 */
/**
 * One parser for each form of a Core body. Large messages feed it from a stream, small ones from memory. It imports no
 * other package of the module.
 */
@NullMarked
package org.signetmq.interceptor.internal.parse;

import org.jspecify.annotations.NullMarked;
