/* SPDX-License-Identifier: Apache-2.0 */
/** The starter in applications of Spring Boot, with a real broker. The module boot4 runs these tests, too. */
@NullMarked
package org.signetmq.springboot;

import org.jspecify.annotations.NullMarked;
