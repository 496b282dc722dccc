/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application. It takes {@link Commands} from its input, and prints {@link Events}. */
@SpringBootApplication(proxyBeanMethods = false)
public class Application {
    /** Made by Spring. */
    public Application() {}

    /** Runs until its input ends. */
    public static void main(String... arguments) {
        SpringApplication.run(Application.class, arguments).close();
    }
}
