/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package org.signetmq.interceptor;

import org.jspecify.annotations.NullMarked;
