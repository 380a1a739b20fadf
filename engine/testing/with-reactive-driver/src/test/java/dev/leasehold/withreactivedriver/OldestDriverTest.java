package dev.leasehold.withreactivedriver;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.engine.LeaseEngine;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The engine was compiled with a newer driver than the one of this module. */
class OldestDriverTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrls(Set.of(
                    LeaseEngine.class.getProtectionDomain().getCodeSource().getLocation(),
                    LeaseAssertion.class.getProtectionDomain().getCodeSource().getLocation()));

    private static boolean isOfDriver(JavaClass type) {
        return type.getPackageName().startsWith("com.mongodb")
                || type.getPackageName().startsWith("org.bson");
    }

    @Test
    @DisplayName("All that engine and assertions call in the driver is there in the oldest one")
    void whatIsCalledIsThere() {
        Set<JavaAccess<?>> calls = CLASSES.stream()
                .flatMap(type -> type.getAccessesFromSelf().stream())
                .filter(access -> isOfDriver(access.getTargetOwner()))
                .collect(Collectors.toSet());

        assertThat(calls).as("found at all").hasSizeGreaterThan(100);
        assertThat(calls)
                .filteredOn(access -> access.getTarget().resolveMember().isEmpty())
                .extracting(JavaAccess::getDescription)
                .isEmpty();
    }

    @Test
    @DisplayName("All types of the driver that they name are there")
    void whatIsNamedIsThere() {
        assertThat(CLASSES.stream()
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                        .filter(OldestDriverTest::isOfDriver)
                        .filter(type -> !type.isFullyImported())
                        .map(JavaClass::getName)
                        .distinct())
                .isEmpty();
    }
}
