package dev.leasehold.examples.names;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.examples.repository.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The modules, profiles, classes and jars of the commands on the pages are there. What a command does is seen by running it. */
class CommandsOnPagesTest {

    private static final Pattern COMMAND = Pattern.compile("(?m)^(?:    |\\$ |.*?`)?((?:mvn|java -jar) [^`\\n]+)");
    private static final Pattern MODULES = Pattern.compile(" -pl ([^ ]+)");
    private static final Pattern PROFILE = Pattern.compile(" -P([a-z0-9-]+)");
    private static final Pattern MAIN_CLASS = Pattern.compile("-Dexec\\.mainClass=([\\w.]+)");
    private static final Pattern JAR = Pattern.compile("java -jar (\\S+)/target/(\\S+)\\.jar");
    private static final Pattern FILE = Pattern.compile(" (docs/\\S+)");

    @Test
    void everyPartOfACommandIsThere() throws IOException {
        List<String> missing = new ArrayList<>();
        int commands = 0;
        for (Path page : Repository.pages()) {
            for (String command : found(COMMAND, Files.readString(page).replace("\\\n", " "))) {
                commands++;
                for (String part : missingParts(command)) {
                    missing.add(Repository.pathOf(page) + ": " + part + " in '" + command + "'");
                }
            }
        }

        assertThat(commands).isGreaterThan(20);
        assertThat(missing).isEmpty();
    }

    @Test
    void partThatIsNotThereIsFound() throws IOException {
        assertThat(missingParts(
                        "mvn -q -Pnone -pl engine/core,engine/none exec:java -Dexec.mainClass=dev.leasehold.None"))
                .containsExactly("module engine/none", "profile none", "class dev.leasehold.None");
        assertThat(missingParts("java -jar engine/tools/operator/target/none.jar serve --config docs/none.yaml"))
                .containsExactly("jar none", "file docs/none.yaml");
    }

    private static List<String> missingParts(String command) throws IOException {
        List<String> missing = new ArrayList<>();
        for (String modules : found(MODULES, command)) {
            for (String module : modules.split(",")) {
                if (!Files.exists(Repository.ROOT.resolve(module).resolve("pom.xml"))) {
                    missing.add("module " + module);
                }
            }
        }
        for (String profile : found(PROFILE, command)) {
            if (!hasProfile(profile)) {
                missing.add("profile " + profile);
            }
        }
        for (String name : found(MAIN_CLASS, command)) {
            String source = "/" + name.replace('.', '/') + ".java";
            if (Repository.files().stream()
                    .noneMatch(file -> Repository.pathOf(file).endsWith(source))) {
                missing.add("class " + name);
            }
        }
        for (MatchResult jar : JAR.matcher(command).results().toList()) {
            Path pom = Repository.ROOT.resolve(jar.group(1)).resolve("pom.xml");
            if (!Files.exists(pom) || !Files.readString(pom).contains("<finalName>" + jar.group(2) + "</finalName>")) {
                missing.add("jar " + jar.group(2));
            }
        }
        for (String file : found(FILE, command)) {
            if (!Files.exists(Repository.ROOT.resolve(file))) {
                missing.add("file " + file);
            }
        }
        return missing;
    }

    private static boolean hasProfile(String name) throws IOException {
        for (Path file : Repository.files()) {
            if (file.endsWith("pom.xml") && Files.readString(file).contains("<id>" + name + "</id>")) {
                return true;
            }
        }
        return false;
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }
}
