// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./HostileTokenTest.sol";

/// @notice One word for all that a market remembers and all that the listed accounts hold.
abstract contract MarketDigest is HostileTokenTest {
    address[] private _accounts;

    /// @dev Every account that may gain or lose something has to be listed; the market's own accounts are added here.
    function watch(address[] memory people) internal {
        _accounts = people;
        address[12] memory others = [
            poster,
            worker,
            rival,
            arbitrator,
            treasury,
            stranger,
            address(paymentGateway),
            address(deposits),
            address(escrow),
            address(court),
            address(staking),
            address(registry)
        ];
        for (uint256 index = 0; index < others.length; ++index) {
            _accounts.push(others[index]);
        }
    }

    function marketDigest() internal view returns (bytes32) {
        bytes memory pots = abi.encode(
            tok.totalSupply(),
            paymentGateway.lastFlush(),
            court.totalBonded(),
            heldInAll(),
            deposits.totalHeld()
        );
        return keccak256(abi.encode(tasksDigest(), walletsDigest(), booksDigest(), pots));
    }

    function tasksDigest() private view returns (bytes32) {
        uint256[] memory ids = new uint256[](registry.taskCount());
        for (uint256 index = 0; index < ids.length; ++index) {
            ids[index] = index + 1;
        }
        MarketLens.TaskDetail[] memory tasks = lens.taskDetails(address(registry), address(court), ids);
        return keccak256(abi.encode(tasks));
    }

    function walletsDigest() private view returns (bytes32 digest) {
        digest = keccak256(abi.encode(deposits.accountsOf(_accounts)));
        for (uint256 index = 0; index < _accounts.length; ++index) {
            address account = _accounts[index];
            bytes memory money = abi.encode(tok.balanceOf(account), usdc.balanceOf(account));
            digest = keccak256(abi.encode(digest, money, staking.stakerOf(account)));
        }
    }

    /// @dev The answers as they are encoded, whatever their shape.
    function booksDigest() private view returns (bytes32) {
        (, bytes memory agents) = address(reputation).staticcall(abi.encodeCall(reputation.agents, (0, 100)));
        (, bytes memory overview) = address(staking).staticcall(abi.encodeCall(staking.overview, ()));
        (, bytes memory judges) = address(court).staticcall(abi.encodeCall(court.arbitrators, (0, 100)));
        return keccak256(abi.encode(agents, overview, judges));
    }
}
