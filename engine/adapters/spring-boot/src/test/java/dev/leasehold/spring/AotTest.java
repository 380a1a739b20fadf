package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.leasehold.engine.LeaseEngine;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

/** An application with leased methods is processed ahead of time, as for a native image. Nothing connects to a database. */
class AotTest {

    private static final RuntimeHints HINTS = new RuntimeHints();
    private static final InMemoryGeneratedFiles FILES = new InMemoryGeneratedFiles();

    public static class Jobs {
        @Leased(name = "stock-#{#warehouse}")
        public void count(String warehouse) {}

        @LeaderOnly
        public void poll() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class WithJobs {
        @Bean
        Jobs jobs() {
            return new Jobs();
        }

        @Bean
        MongoClient client() {
            return MongoClients.create();
        }
    }

    @BeforeAll
    static void process() {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        TestPropertyValues.of("spring.application.name=shop").applyTo(context);
        context.register(WithJobs.class);
        Stream.of(AopAutoConfiguration.class, LeaseholdAutoConfiguration.class, LeasesEndpointAutoConfiguration.class)
                .forEach(context::register);
        DefaultGenerationContext generation =
                new DefaultGenerationContext(new ClassNameGenerator(ClassName.get(WithJobs.class)), FILES, HINTS);
        new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        generation.writeGeneratedContent();
    }

    @Test
    void leasedBeanGetsItsProxyAheadOfTime() {
        assertThat(FILES.getGeneratedFiles(GeneratedFiles.Kind.CLASS).keySet())
                .anyMatch(file -> file.contains("AotTest$Jobs$$SpringCGLIB"));
    }

    @Test
    void annotatedMethodsCanBeInvoked() throws NoSuchMethodException {
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Jobs.class.getMethod("count", String.class)))
                .accepts(HINTS);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Jobs.class.getMethod("poll")))
                .accepts(HINTS);
    }

    @Test
    void whatTheEndpointShowsCanBeWritten() {
        for (Class<?> shown : LeasesEndpoint.class.getDeclaredClasses()) {
            assertThat(shown.getRecordComponents())
                    .isNotEmpty()
                    .allSatisfy(component -> assertThat(
                                    RuntimeHintsPredicates.reflection().onMethodInvocation(component.getAccessor()))
                            .accepts(HINTS));
        }
    }

    @Test
    void engineThatWaitsForItsDatabaseCanBeAProxy() {
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(LeaseEngine.class))
                .accepts(HINTS);
    }
}
