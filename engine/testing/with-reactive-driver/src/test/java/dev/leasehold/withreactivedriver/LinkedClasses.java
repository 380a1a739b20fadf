package dev.leasehold.withreactivedriver;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Classes that were compiled with newer libraries than those of the class path: whether all that they need is there. */
public final class LinkedClasses {

    private static final JavaClass OBJECT = new ClassFileImporter().importClass(Object.class);

    private final JavaClasses classes;

    private LinkedClasses(JavaClasses classes) {
        this.classes = classes;
    }

    /** The classes of the jars in which these are. */
    public static LinkedClasses of(Class<?>... types) {
        return new LinkedClasses(new ClassFileImporter()
                .importUrls(Stream.of(types)
                        .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                        .toList()));
    }

    /** The methods, constructors and fields of a library, by the begin of its packages. */
    public Set<JavaAccess<?>> accessesTo(String library) {
        return classes.stream()
                .flatMap(type -> type.getAccessesFromSelf().stream())
                .filter(access -> isOf(library, access.getTargetOwner()))
                .collect(Collectors.toSet());
    }

    /** Which of them the library does not have. */
    public List<String> missingMembers(String library) {
        return accessesTo(library).stream()
                .filter(access -> access.getTarget().resolveMember().isEmpty() && !isOfObject(access))
                .map(JavaAccess::getDescription)
                .toList();
    }

    /** The types of the library that are named and that it does not have. */
    public List<String> missingTypes(String library) {
        return classes.stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                .filter(type -> isOf(library, type) && !type.isFullyImported())
                .map(JavaClass::getName)
                .distinct()
                .toList();
    }

    private static boolean isOf(String library, JavaClass type) {
        return type.getPackageName().startsWith(library);
    }

    /** A method that every object has: newer compilers name the interface by which it is called. */
    private static boolean isOfObject(JavaAccess<?> access) {
        return access instanceof JavaMethodCall call
                && OBJECT.tryGetMethod(
                                call.getName(),
                                HasName.Utils.namesOf(call.getTarget().getRawParameterTypes())
                                        .toArray(String[]::new))
                        .isPresent();
    }
}
