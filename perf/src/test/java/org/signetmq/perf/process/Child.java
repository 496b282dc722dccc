/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.process;

import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.signetmq.perf.result.Result;

/** A process for tests, with the behavior that its argument names. */
final class Child {
    static final Result ECHO = Result.EMPTY.with(Requests.NAME, "echo");
    static final Result FAIL = Result.EMPTY.with(Requests.NAME, "fail");
    static final Result LACK = Result.EMPTY.with(Requests.NAME, "lack");
    static final Result DIE = Result.EMPTY.with(Requests.NAME, "die");
    static final Result SLEEP = Result.EMPTY.with(Requests.NAME, "sleep");
    static final Result GARBAGE = Result.EMPTY.with(Requests.NAME, "garbage");

    private Child() {}

    /** Runs the behavior until the input ends. */
    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "dead" -> System.exit(3);
            case "silent" -> sleep();
            case "garbage" -> {
                System.out.println("{ready");
                sleep();
            }
            case "number" -> {
                System.out.println("42");
                sleep();
            }
            case "failed" -> {
                System.out.println("{\"failed\":\"out of luck\"}");
                sleep();
            }
            case "broken" -> {
                Requests requests = new Requests();
                new Thread(Child::sleepOn).start();
                requests.run(() -> {
                    throw new NoClassDefFoundError("org/example/Missing");
                });
            }
            default -> {
                serve();
                if (arguments[0].equals("stubborn")) {
                    sleep();
                }
            }
        }
    }

    private static void serve() throws Exception {
        PrintStream out = System.out;
        Requests requests = new Requests();
        System.out.println("this goes to the standard error");
        requests.serve(
                Result.EMPTY.with("pid", ProcessHandle.current().pid()),
                Map.of(
                        "echo", request -> request,
                        "fail",
                                request -> {
                                    throw new IllegalStateException("cannot\n  do it");
                                },
                        "lack",
                                request -> {
                                    throw new OutOfMemoryError("no heap");
                                },
                        "die",
                                request -> {
                                    Runtime.getRuntime().halt(4);
                                    return Result.EMPTY;
                                },
                        "sleep",
                                request -> {
                                    sleep();
                                    return Result.EMPTY;
                                },
                        "garbage",
                                request -> {
                                    out.println("garbage");
                                    return Result.EMPTY;
                                }));
    }

    private static void sleepOn() {
        try {
            sleep();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void sleep() throws InterruptedException {
        TimeUnit.MINUTES.sleep(10);
    }
}
