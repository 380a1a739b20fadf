package dev.leasehold.withreactivedriver;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.engine.LeaseEngine;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine was compiled with newer libraries than those of this module. */
class OldestLibrariesTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrls(Set.of(
                    LeaseEngine.class.getProtectionDomain().getCodeSource().getLocation(),
                    LeaseAssertion.class.getProtectionDomain().getCodeSource().getLocation()));

    private static boolean isOf(String library, JavaClass type) {
        return type.getPackageName().startsWith(library);
    }

    /** A method that every object has: newer compilers name the interface by which it is called. */
    private static boolean isOfObject(JavaAccess<?> access) {
        return access instanceof JavaMethodCall call
                && Stream.of(Object.class.getMethods())
                        .anyMatch(method ->
                                method.getName().equals(call.getTarget().getName())
                                        && Stream.of(method.getParameterTypes())
                                                .map(Class::getName)
                                                .toList()
                                                .equals(HasName.Utils.namesOf(
                                                        call.getTarget().getRawParameterTypes())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"com.mongodb", "org.bson", "io.micrometer", "org.slf4j"})
    @DisplayName("All that engine and assertions call of a library is there in the oldest one")
    void whatIsCalledIsThere(String library) {
        Set<JavaAccess<?>> calls = CLASSES.stream()
                .flatMap(type -> type.getAccessesFromSelf().stream())
                .filter(access -> isOf(library, access.getTargetOwner()))
                .collect(Collectors.toSet());

        assertThat(calls).isNotEmpty();
        assertThat(calls)
                .filteredOn(access -> access.getTarget().resolveMember().isEmpty() && !isOfObject(access))
                .extracting(JavaAccess::getDescription)
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"com.mongodb", "org.bson", "io.micrometer", "org.slf4j"})
    @DisplayName("All types of a library that they name are there")
    void whatIsNamedIsThere(String library) {
        assertThat(CLASSES.stream()
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                        .filter(type -> isOf(library, type) && !type.isFullyImported())
                        .map(JavaClass::getName)
                        .distinct())
                .isEmpty();
    }
}
