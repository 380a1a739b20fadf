package dev.leasehold.examples.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Writes invoices, on one of its processes at a time. */
@SpringBootApplication
@EnableScheduling
public class InvoicesApplication {

    /**
     * Starts the application.
     *
     * @param arguments properties, as {@code --spring.mongodb.uri=...}
     */
    public static void main(String[] arguments) {
        SpringApplication.run(InvoicesApplication.class, arguments);
    }
}
