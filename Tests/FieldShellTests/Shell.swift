import AttachmentVault
import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// A shell over a folder of its own, with two sites, a form and a clock that stands still.
final class Shell {
    let root: URL
    let session: ShellSession
    let field: FieldDatabase

    /// - Parameter home: what the shell writes for the user goes into the test's own folder.
    init(
        _ variables: [String: String] = [:], home: Bool = false, meter: any ProgressMeter = NoProgressMeter()
    ) throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("shell-\(UUID().uuidString)")
        let folder = FieldFolder(path: root.appendingPathComponent("records").path)
        let made = try FieldDatabase.create(at: folder, key: .keyFile)
        let day = CalendarDay(daysSince1970: 20_516)
        let environment = ShellEnvironment(
            variables: ["USER": "mara"].merging(variables) { $1 }
                .merging(home ? ["XDG_CONFIG_HOME": root.appendingPathComponent("config").path] : [:]) { $1 },
            now: { Timestamp(secondsSince1970: 1_772_619_307) }, today: { day },
            zone: TimeZone(secondsFromGMT: 3_600) ?? .current)
        try Self.fill(made, day)
        try made.close()
        session = ShellSession(
            folder: folder.url.path, environment: environment, dialogue: Replaceable(), meter: meter)
        field = try session.field()
    }

    deinit {
        try? session.close()
        try? FileManager.default.removeItem(at: root)
    }

    private static func fill(_ field: FieldDatabase, _ day: CalendarDay) throws {
        let author = Author(name: nil, moment: Timestamp(secondsSince1970: 0))
        let hill = District("hill") ?? .unknown
        for (id, name) in [("mill", "Old mill"), ("quay", "Quay café")] {
            try field.sites.add(Site(id: "site-\(id)", name: name, address: Address(), district: hill), by: author)
        }
        try field.forms.add(
            FormDefinition(
                id: "form-kitchen", name: "Kitchen",
                fields: [
                    FormField("fridge", label: "Fridge °C", kind: .number, isRequired: true, minimum: -5, maximum: 12),
                    FormField("basin", label: "Basin", kind: .yesNo),
                    FormField("pests", label: "Pests", kind: .yesNo),
                    FormField(
                        "which", label: "Which", kind: .choice, isRequired: true, choices: ["mice", "moths"],
                        when: FormField.Condition(field: "pests", equals: true)),
                ]), by: author)
    }

    func signIn(_ user: String) throws {
        var settings = FolderSettings()
        settings.user = user
        try settings.save(in: session.folder)
    }

    /// Who is asked from now on.
    func use(_ dialogue: any Dialogue) { (session.dialogue as? Replaceable)?.current = dialogue }

    func type(_ lines: String..., width: Int = 100) async throws -> String {
        let dialogue = ScriptedDialogue(lines: lines)
        use(dialogue)
        _ = await loop(width: width).run()
        return dialogue.transcript
    }

    func loop(width: Int = 100) -> ShellLoop {
        ShellLoop(session) { [session] in
            TextRenderer(width: width, numbersRows: true, clock: session.environment.clock)
        }
    }

    /// Ids are random.
    func withoutIDs(_ text: String) throws -> String {
        try field.inspections.all().records.reduce(text) { text, inspection in
            text.replacing(RecordReference.short(inspection.id, kind: .inspection), with: "ID")
        }
        // And those of records that were not saved.
        .replacing(/inspection [0-9a-z]{10} was/, with: "inspection ID was")
    }
}

/// Passes on to another dialogue.
private final class Replaceable: Dialogue {
    var current: any Dialogue = SilentDialogue { _ in }

    var isInteractive: Bool { current.isInteractive }
    var mayConsent: Bool { current.mayConsent }
    func ask(_ prompt: String) -> Reply { current.ask(prompt) }
    func askSecret(_ prompt: String) -> Reply { current.askSecret(prompt) }
    func edit(_ text: String) throws(EditorError) -> WrittenText { try current.edit(text) }
    func hold(_ text: String) throws(EditorError) -> WrittenText { try current.hold(text) }
    func keep(_ text: WrittenText) throws(EditorError) -> String? { try current.keep(text) }
    func discard(_ text: WrittenText) { current.discard(text) }
    func show(_ text: String) { current.show(text) }
    func showWhole(_ lines: [String]) { current.showWhole(lines) }
    var screenHeight: Int? { current.screenHeight }
    var completer: Completer {
        get { current.completer }
        set { current.completer = newValue }
    }
}
