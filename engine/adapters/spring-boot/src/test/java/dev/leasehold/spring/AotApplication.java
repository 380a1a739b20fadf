package dev.leasehold.spring;

import dev.leasehold.engine.Lease;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.AotDetector;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.core.MongoTemplate;

/** The program of another JVM, which runs as it was processed ahead of time. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
class AotApplication {

    /** One method of each kind. */
    static class Jobs {
        private final MongoTemplate mongo;

        Jobs(MongoTemplate mongo) {
            this.mongo = mongo;
        }

        @Leased(name = "stock-#{#warehouse}-${shop.region}")
        public String count(String warehouse) {
            return LeaseHolder.requireHeld().tenure().name();
        }

        @Leased(name = "invoices", gated = true)
        public String write(@Nullable Lease lease) {
            mongo.insert(new Document("written", true), "invoices");
            return "under a lease: " + (lease != null);
        }

        @Leased(name = "nightly", oncePer = "@daily", zone = "UTC", catchUp = CatchUp.LATEST)
        public void night() {
            mongo.insert(new Document("_id", LeaseHolder.occurrence().orElseThrow()), "nights");
        }

        @LeaderOnly("writer")
        public String lead() {
            return "led";
        }
    }

    /** Cannot be guarded. */
    static class Unguarded {
        @Leased(name = "final")
        public final void run() {}
    }

    @Bean
    Jobs jobs(MongoTemplate mongo) {
        return new Jobs(mongo);
    }

    @Bean
    @ConditionalOnProperty("shop.unguarded")
    Unguarded unguarded() {
        return new Unguarded();
    }

    public static void main(String[] arguments) {
        SpringApplication application = new SpringApplication(AotApplication.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = application.run(arguments)) {
            System.out.println("defined by generated code: " + AotDetector.useGeneratedArtifacts());
            Jobs jobs = context.getBean(Jobs.class);
            MongoTemplate mongo = context.getBean(MongoTemplate.class);
            System.out.println("counted " + jobs.count("north"));
            System.out.println("wrote " + jobs.write(null) + ", "
                    + mongo.getCollection("invoices").countDocuments());
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> mongo.getCollection("nights").countDocuments() == 1);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> "led".equals(jobs.lead()));
            System.out.println("caught up, and led");
        }
    }
}
