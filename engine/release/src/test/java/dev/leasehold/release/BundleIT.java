package dev.leasehold.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.bouncycastle.bcpg.ArmoredInputStream;
import org.bouncycastle.openpgp.PGPPublicKey;
import org.bouncycastle.openpgp.PGPSecretKeyRing;
import org.bouncycastle.openpgp.PGPSignature;
import org.bouncycastle.openpgp.PGPSignatureList;
import org.bouncycastle.openpgp.bc.BcPGPObjectFactory;
import org.bouncycastle.openpgp.operator.bc.BcKeyFingerprintCalculator;
import org.bouncycastle.openpgp.operator.bc.BcPGPContentVerifierBuilderProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** What the portal refuses a bundle for, and what a user would miss. */
@Tag("release")
class BundleIT {

    private static final String GROUP = "dev/leasehold/";
    private static final String VERSION = System.getProperty("leasehold.version");
    private static final String BOM = "leasehold-bom";
    /** The only property in a published POM: it stands for the version a few lines above. */
    private static final String VERSION_IN_BOM = "${project.version}";

    private static final List<String> CHECKSUMS = List.of("MD5", "SHA-1");

    private static Bundle bundle;

    @BeforeAll
    static void read() throws IOException {
        bundle = Bundle.read();
    }

    private static String path(String artifact, String ending) {
        return GROUP + artifact + "/" + VERSION + "/" + artifact + "-" + VERSION + ending;
    }

    private static Element pom(String artifact) throws Exception {
        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(bundle.file(path(artifact, ".pom"))));
        return document.getDocumentElement();
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }

    /** Empty if there is none. */
    private static String text(Element parent, String name) {
        List<Element> found = children(parent, name);
        return found.isEmpty() ? "" : found.get(0).getTextContent().strip();
    }

    private static List<Element> dependencies(Element pom) {
        List<Element> found = new ArrayList<>();
        for (Element all : children(pom, "dependencies")) {
            found.addAll(children(all, "dependency"));
        }
        return found;
    }

    /** All that the BOM manages. */
    private static Set<String> managed() throws Exception {
        Set<String> artifacts = new TreeSet<>();
        for (Element dependency :
                dependencies(children(pom(BOM), "dependencyManagement").get(0))) {
            assertThat(text(dependency, "groupId")).isEqualTo("dev.leasehold");
            assertThat(text(dependency, "version")).isEqualTo(VERSION_IN_BOM);
            artifacts.add(text(dependency, "artifactId"));
        }
        return artifacts;
    }

    @Test
    @DisplayName(
            "The bundle has the BOM, and of each module in it the jar, the sources, the Javadoc, the POM and the bill of materials")
    void exactlyTheseFiles() throws Exception {
        Set<String> expected = new TreeSet<>();
        expected.add(path(BOM, ".pom"));
        expected.add(path(BOM, "-cyclonedx.json"));
        for (String artifact : managed()) {
            for (String ending : List.of(".jar", "-sources.jar", "-javadoc.jar", ".pom", "-cyclonedx.json")) {
                expected.add(path(artifact, ending));
            }
        }
        for (String file : List.copyOf(expected)) {
            expected.addAll(List.of(file + ".asc", file + ".md5", file + ".sha1"));
        }

        assertThat(VERSION).doesNotEndWith("-SNAPSHOT");
        assertThat(managed()).contains("leasehold-engine", "leasehold-assertions");
        assertThat(bundle.files().keySet()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    @DisplayName("Each checksum is the one of its file")
    void checksums() throws Exception {
        int checked = 0;
        for (String file : bundle.files().keySet()) {
            for (String algorithm : CHECKSUMS) {
                String ending = "." + algorithm.replace("-", "").toLowerCase(Locale.ROOT);
                if (file.endsWith(ending)) {
                    byte[] content = bundle.file(file.substring(0, file.length() - ending.length()));
                    String sum = HexFormat.of()
                            .formatHex(MessageDigest.getInstance(algorithm).digest(content));
                    assertThat(new String(bundle.file(file), UTF_8).strip())
                            .as(file)
                            .isEqualTo(sum);
                    checked++;
                }
            }
        }
        assertThat(checked).isEqualTo(bundle.files().size() / 2);
    }

    @Test
    @DisplayName("Each signature is made with the key of the release, and of its file alone")
    void signatures() throws Exception {
        PGPPublicKey key = new PGPSecretKeyRing(
                        new ArmoredInputStream(new ByteArrayInputStream(
                                System.getenv("MAVEN_GPG_KEY").getBytes(UTF_8))),
                        new BcKeyFingerprintCalculator())
                .getPublicKey();
        int verified = 0;
        for (String file : bundle.files().keySet()) {
            if (file.endsWith(".asc")) {
                byte[] content = bundle.file(file.substring(0, file.length() - ".asc".length()));
                assertThat(isSigned(content, bundle.file(file), key)).as(file).isTrue();
                content[content.length / 2] ^= 1;
                assertThat(isSigned(content, bundle.file(file), key))
                        .as("%s, one bit changed", file)
                        .isFalse();
                content[content.length / 2] ^= 1;
                verified++;
            }
        }
        assertThat(verified).isEqualTo(managed().size() * 5 + 2);
    }

    private static boolean isSigned(byte[] content, byte[] armored, PGPPublicKey key) throws Exception {
        PGPSignature signature = ((PGPSignatureList)
                        new BcPGPObjectFactory(new ArmoredInputStream(new ByteArrayInputStream(armored))).nextObject())
                .get(0);
        signature.init(new BcPGPContentVerifierBuilderProvider(), key);
        signature.update(content);
        return signature.verify();
    }

    @Test
    @DisplayName(
            "Each POM stands alone: no parent, no snapshot, no property, no test library, and all that the portal asks for")
    void metadata() throws Exception {
        Set<String> all = managed();
        all.add(BOM);
        for (String artifact : all) {
            Element pom = pom(artifact);
            String written = new String(bundle.file(path(artifact, ".pom")), UTF_8);
            if (artifact.equals(BOM)) {
                written = written.replace(VERSION_IN_BOM, VERSION);
            }

            assertThat(children(pom, "parent")).as(artifact).isEmpty();
            assertThat(written).as(artifact).doesNotContain("${", "SNAPSHOT", "<scope>test</scope>", "<repositor");
            assertThat(text(pom, "groupId")).isEqualTo("dev.leasehold");
            assertThat(text(pom, "artifactId")).isEqualTo(artifact);
            assertThat(text(pom, "version")).isEqualTo(VERSION);
            for (String name : List.of("name", "description", "url", "licenses", "developers", "scm")) {
                assertThat(text(pom, name)).as("%s of %s", name, artifact).isNotEmpty();
            }
            Element scm = children(pom, "scm").get(0);
            for (String name : List.of("connection", "developerConnection", "url")) {
                assertThat(text(scm, name)).as("%s of %s", name, artifact).isNotEmpty();
            }
            for (Element dependency : dependencies(pom)) {
                String other = text(dependency, "artifactId");
                assertThat(text(dependency, "version"))
                        .as("%s of %s", other, artifact)
                        .isNotEmpty();
                if (text(dependency, "groupId").equals("dev.leasehold")) {
                    assertThat(all).as("what %s needs", artifact).contains(other);
                }
            }
        }
    }

    @Test
    @DisplayName("What only tests and builds need is in no POM")
    void onlyWhatUsersNeed() throws Exception {
        for (String artifact : managed()) {
            assertThat(dependencies(pom(artifact)).stream().map(one -> text(one, "artifactId")))
                    .as(artifact)
                    .doesNotContain("assertj-core", "jqwik", "awaitility", "junit-jupiter", "archunit");
        }
        assertThat(dependencies(pom("leasehold-assertions")).stream()
                        .filter(one -> !text(one, "scope").equals("provided"))
                        .map(one -> text(one, "artifactId")))
                .containsExactly("mongodb-driver-sync");
    }

    @Test
    @DisplayName("Each jar has the licence; the sources have sources; the Javadoc has pages")
    void contents() throws Exception {
        for (String artifact : managed()) {
            Map<String, byte[]> jar = bundle.jar(path(artifact, ".jar"));
            assertThat(jar)
                    .as(artifact)
                    .containsKeys("META-INF/LICENSE", "META-INF/NOTICE", "META-INF/THIRD-PARTY.txt");
            assertThat(jar.keySet())
                    .as(artifact)
                    .noneMatch(name -> name.endsWith("Test.class") || name.endsWith("IT.class"));
            assertThat(bundle.jar(path(artifact, "-sources.jar")).keySet())
                    .as(artifact)
                    .anyMatch(name -> name.endsWith(".java"));
            assertThat(bundle.jar(path(artifact, "-javadoc.jar"))).as(artifact).containsKey("index.html");
        }
    }

    @Test
    @DisplayName("Each bill of materials names its module, and what the module brings along")
    void billsOfMaterials() throws Exception {
        for (String artifact : managed()) {
            String bill = new String(bundle.file(path(artifact, "-cyclonedx.json")), UTF_8);
            assertThat(bill)
                    .as(artifact)
                    .contains("\"bomFormat\" : \"CycloneDX\"", "pkg:maven/dev.leasehold/" + artifact + "@" + VERSION)
                    .contains("pkg:maven/org.mongodb/mongodb-driver-sync@")
                    .doesNotContain("junit-jupiter-engine", "SNAPSHOT");
        }
    }
}
