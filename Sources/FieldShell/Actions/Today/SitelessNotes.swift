import FieldModels
import FieldRecords

/// The inspections whose site is not here.
struct SitelessNotes {
    let session: ShellSession

    /// For the list of the day: the first of them, each with its advice.
    func lines(about inspections: [Inspection]) throws -> [String] {
        let rest = inspections.count - ShellLimits.candidates
        return try inspections.prefix(ShellLimits.candidates).compactMap { inspection in
            try MissingSite(of: inspection, in: session.field()).map { missing in
                "Inspection \(missing.inspection.id) of \(inspection.date): \(missing.sentence)"
            }
        } + (rest > 0 ? ["\(rest.of("more inspection")) without a site: list"] : [])
    }

    /// The notes of a prompt if inspections have lost their site since the last one.
    func new() throws -> [String] {
        guard session.folder.isInitialized else { return [] }
        let count = try session.noticed.sites.lost(in: session.field(), of: session.settings().user)
        guard count > 0 else { return [] }
        return ["The site of \(count.of("inspection")) of yours is not here any more; what to do: today"]
    }
}
