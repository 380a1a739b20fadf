package dev.leasehold.examples.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.examples.spring.Invoice;
import dev.leasehold.examples.spring.Invoices;
import dev.leasehold.examples.spring.InvoicesApplication;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

class ServiceConnectionExampleIT {

    @Test
    void applicationWritesItsInvoicesIntoTheDatabaseOfTheTest() {
        try (ConfigurableApplicationContext application =
                new SpringApplicationBuilder(InvoicesApplication.class, ServiceConnectionExample.class).run()) {
            Invoices invoices = application.getBean(Invoices.class);
            await().atMost(Duration.ofSeconds(60)).until(() -> invoices.count() > 2);
            assertThat(invoices.findAll()).extracting(Invoice::number).startsWith(1L, 2L);
        }
    }
}
