import Foundation

/// A city's published register of restaurant inspections, 59,638 rows: real input with real faults, and too large for
/// the repository. All other tests have their files in `Tests`.
public enum CityRegister {
    /// The folder with its files; `nil` if there is none. If a folder was named and has no files, the tests fail.
    public static let folder: String? = {
        if let named = ProcessInfo.processInfo.environment[variable], !named.isEmpty { return named }
        let beside = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appendingPathComponent("../shared/data/food-safety-sf").standardizedFileURL.path
        return FileManager.default.fileExists(atPath: beside + "/businesses.csv") ? beside : nil
    }()

    /// The message if the register is not available.
    public static let howToHaveIt = """
        Left out: the city register is not in the repository. To have it, take businesses.csv, inspections.csv and \
        violations.csv from the folder data of https://github.com/3innielee/food-safety-sf and set \(variable) to the \
        folder that they are in.
        """

    private static let variable = "FIELDBOOK_REGISTER"
}
